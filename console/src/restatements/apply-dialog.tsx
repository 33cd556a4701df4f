// Asks whether a restatement is to be applied, and repeats what that moves.
import { Figure } from '../components/figure.tsx'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { QuestionDialog } from '../components/question-dialog.tsx'
import { KG } from '../emissions/kilograms.ts'
import { useMessages } from '../i18n/language.tsx'
import { afterOf } from './explain-restatement.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { useApplication, type Restatement } from './use-restatements.ts'

export interface RestatementDialogProps {
  readonly one: Restatement
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function ApplyDialog({ one, isOpen, onClose }: RestatementDialogProps) {
  const t = useMessages({ en, de })
  const { mutate, isPending, error } = useApplication(String(one.restatement_id), () => {
    onClose()
    // The button has gone with the dialog.
    document.getElementById('restatement-state')?.focus()
  })
  const { preview, reason } = one
  if (!preview) return null
  const { before, difference, number_of_orders: orders, number_of_customers: customers, years } = preview
  return (
    <QuestionDialog
      title={t('applyQuestion')}
      answer={t('applyNow', { count: orders })}
      isDisabled={isPending}
      isOpen={isOpen}
      onAnswer={() => mutate(preview.digest)}
      onClose={onClose}
    >
      <div className="section">
        <p>
          <strong>{t('applyMoves', { orders, customers })}</strong>
        </p>
        <p>
          <Figure value={before} unit={KG} /> → <Figure value={afterOf(preview)} unit={KG} showsUnit />
          <br />
          {t('difference')}: <Figure value={difference} unit={KG} showsUnit showsSign />
        </p>
        {years.length > 0 && <p>{t('applyYears', { years: years.map(({ year }) => year).join(', ') })}</p>}
        <p>{t('applyHelp', { reason })}</p>
        <p className="muted">{t('applyUndo')}</p>
        {error && <ProblemNotice problem={error} />}
      </div>
    </QuestionDialog>
  )
}
