// The file that is at hand, on its way to the API and while one looks at what came of it.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { sendFile, type Sending } from './send-file.ts'

/** The file at hand: it stays so while one looks at what came of it, until the page is left. */
export interface Sender {
  readonly last: Sending | null
  /** The import that it became. */
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
      // Told here, they are told to nobody who has left the page meanwhile.
      sending.mutate(one, {
        onSuccess: ({ import_id: id }) => navigate(`/import/${id}`),
        // What the file does not tell is asked for where files are chosen.
        onError: () => navigate('/import'),
      })
    },
  }
}
