// Files to upload, and how much of one was taken to be sent.

/** A file in memory or on disk (`openAsBlob` of Node's `fs`), or a stream, which cannot be sent a second time. */
export type Upload = Blob | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array>

export interface Progress {
  readonly sentBytes: number
  /** Undefined for a stream. */
  readonly totalBytes: number | undefined
}

/**
 * On servers the body becomes a stream that counts. Browsers stream none to a server of HTTP/1.1: there, a file is told
 * once, when all of it is sent; a stream is sent as it is.
 * @param onPart called with each part
 */
export function withProgress(
  content: Upload,
  tell: (progress: Progress) => void,
  onPart: () => void,
  canStream: boolean,
): { readonly body: Upload; readonly done: () => void } {
  const isStream = content instanceof ReadableStream
  const blob = isStream ? null : new Blob([content])
  const totalBytes = blob?.size
  if (!(isStream || canStream)) return { body: content, done: () => tell({ sentBytes: totalBytes ?? 0, totalBytes }) }
  let sentBytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      sentBytes += part.byteLength
      onPart()
      tell({ sentBytes, totalBytes })
      controller.enqueue(part)
    },
  })
  const source = (isStream ? content : blob!.stream()) as ReadableStream<Uint8Array>
  return { body: source.pipeThrough(counter), done: () => undefined }
}
