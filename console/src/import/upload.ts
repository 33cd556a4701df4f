// The chosen file: while it is sent, and while its import is shown.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { sendFile, type Sending } from './send-file.ts'

/** The chosen file, which the page keeps until it is left. */
export interface Sender {
  readonly last: Sending | null
  /** Its import. */
  readonly importId: number | null
  readonly isSending: boolean
  readonly share: number
  readonly problem: Error | null
  readonly send: (sending: Sending) => void
  readonly choose: (sending: Sending) => void
}

export function useSender(): Sender {
  const [, navigate] = useLocation()
  const [last, setLast] = useState<Sending | null>(null)
  const [share, setShare] = useState(0)
  const sending = useMutation({
    mutationFn: (one: Sending) => sendFile(one, setShare),
  })
  return {
    last,
    importId: sending.data?.import_id ?? null,
    isSending: sending.isPending,
    share,
    problem: sending.error,
    choose: (one) => {
      sending.reset()
      setLast(one)
    },
    send: (one) => {
      setLast(one)
      setShare(0)
      // Callbacks given here do not run if the page was left meanwhile.
      sending.mutate(one, {
        onSuccess: ({ import_id: id }) => navigate(`/import/${id}`),
        // The page on which files are chosen also asks for missing settings.
        onError: () => navigate('/import'),
      })
    },
  }
}
