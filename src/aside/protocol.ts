// What goes between the service and the process beside it: jobs, and what they come to, piece by piece.

/** A number names a job on its way. No piece is made before the one before it was taken. */
export type WorkerRequest<Settings, Job, Notice = never> =
  | { readonly kind: 'open'; readonly settings: Settings }
  | { readonly kind: 'begin'; readonly id: number; readonly job: Job }
  | { readonly kind: 'next'; readonly id: number }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'notice'; readonly notice: Notice }

export type WorkerResponse<Piece> =
  /** The process has loaded its code and settings: from now on it ends by what it works on. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'piece'; readonly id: number; readonly piece: Piece }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'fault'; readonly id: number; readonly error: Error }
