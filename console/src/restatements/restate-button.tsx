// Requests the preview of a restatement from where its reason arises, and leads to its page.
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { useSession } from '../session/session.tsx'
import { useNewRestatement, type RestatementParams } from './use-restatements.ts'

export interface RestateButtonProps {
  readonly label: string
  /** What is read out, where the label alone does not say of what. */
  readonly name?: string
  readonly params: RestatementParams
}

/** Nothing for keys that may not restate. */
export function RestateButton({ label, name, params }: RestateButtonProps) {
  const { may } = useSession()
  const { mutate, isPending, error } = useNewRestatement()
  if (!may('admin')) return null
  return (
    <>
      <button className="button" aria-label={name} disabled={isPending} onClick={() => mutate(params)}>
        {label}
      </button>
      {error && <ProblemNotice problem={error} />}
    </>
  )
}
