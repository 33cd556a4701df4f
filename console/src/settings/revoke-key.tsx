// Revoking a key: asked before, and of the last admin key twice.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { QuestionDialog } from '../components/question-dialog.tsx'
import { useToast } from '../components/toast.tsx'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { useSigning } from '../session/session-requests.ts'
import { KEYS_KEY, type Key } from './key-list.ts'
import de from './messages.de.json'
import en from './messages.en.json'

export interface RevokeKeyProps {
  readonly apiKey: Key
  readonly onClose: () => void
  /** Once it is gone from the list, and the button with it. */
  readonly onRevoked: () => void
}

/** The service alone knows whether it is the last one: it refuses, until that is said to be meant. */
const isLastAdmin = (error: Error | null): boolean =>
  error instanceof Problem && error.details.some(({ path }) => path === '?allow_last_admin')

export function RevokeKey({ apiKey, onClose, onRevoked }: RevokeKeyProps) {
  const t = useMessages({ en, de })
  const revoking = useRevoking(apiKey, onClose, onRevoked)
  const isLast = isLastAdmin(revoking.error)
  const label = apiKey.label || apiKey.hint
  return (
    <QuestionDialog
      title={t(isLast ? 'revokeLastQuestion' : 'revokeQuestion', { label })}
      answer={t(isLast ? 'revokeLast' : 'revoke')}
      isDisabled={revoking.isPending}
      onAnswer={() => revoking.mutate(isLast)}
      onClose={onClose}
    >
      {isLast ? <p>{t('revokeLastHelp')}</p> : <Consequences apiKey={apiKey} />}
      {revoking.error && !isLast && <ProblemNotice problem={revoking.error} />}
    </QuestionDialog>
  )
}

/** Who revokes the key of the session signs out with it. */
function useRevoking({ key_id: id, label, hint, is_own: isOwn }: Key, onClose: () => void, onRevoked: () => void) {
  const t = useMessages({ en, de })
  const client = useQueryClient()
  const toast = useToast()
  const { signOut } = useSigning()
  return useMutation({
    mutationFn: (evenLast: boolean) => {
      const query = evenLast ? { allow_last_admin: true } : {}
      return read(api.DELETE('/api/keys/{key_id}', { params: { path: { key_id: String(id) }, query } }))
    },
    onSuccess: async () => {
      toast(t('revoked', { label: label || hint }))
      onClose()
      if (isOwn) return signOut()
      await client.invalidateQueries({ queryKey: KEYS_KEY })
      onRevoked()
    },
  })
}

function Consequences({ apiKey }: { readonly apiKey: Key }) {
  const t = useMessages({ en, de })
  const { time } = useFormat()
  const { hint, last_used_at: used, is_own: isOwn } = apiKey
  return (
    <>
      <p>{t('revokeHelp', { hint })}</p>
      <p>{used === null ? t('neverUsed') : t('usedAt', { time: time(used) })}</p>
      {isOwn && <p className="note note-warning">{t('revokeOwn')}</p>}
    </>
  )
}
