// The button that withdraws an own figure, after a question.
import { useState } from 'react'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { QuestionDialog } from '../components/question-dialog.tsx'
import { useToast } from '../components/toast.tsx'
import { useMessages } from '../i18n/language.tsx'
import type { FigureKind } from './kinds.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { useWithdrawal, type OwnFigure } from './use-figures.ts'

export interface WithdrawFigureProps {
  readonly kind: FigureKind
  readonly figure: OwnFigure
  readonly name: string
}

export function WithdrawFigure({ kind, figure, name }: WithdrawFigureProps) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, error } = useWithdrawal(kind, figure, () => toast(t('deleted', { name })))
  return (
    <>
      <button
        className="button button-small button-danger"
        aria-label={t('deleteThis', { name })}
        onClick={() => setAsking(true)}
      >
        {t('delete')}
      </button>
      <QuestionDialog
        title={t('deleteQuestion', { name })}
        answer={t('delete')}
        isDisabled={isPending}
        isOpen={isAsking}
        onAnswer={() => mutate()}
        onClose={() => setAsking(false)}
      >
        <p>{t('deleteHelp')}</p>
        {error && <ProblemNotice problem={error} />}
      </QuestionDialog>
    </>
  )
}
