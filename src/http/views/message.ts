// Messages as JSON beside their texts: the code and the values, for clients that translate them.
import type { Message, MessageParams } from '../../engine/message.ts'
import type { Footprint } from '../../engine/reference/footprint.ts'

export interface MessageReference {
  readonly code: string
  /** Absent if the message names no values. */
  readonly params?: MessageParams
}

/** The code and the values of a message whose text stands in another member. */
export const referenceView = ({ code, params }: Message): MessageReference =>
  Object.keys(params).length === 0 ? { code } : { code, params }

/** The name of a model, or of a fallback with its message. */
export const footprintNameView = ({ name, fallbackName }: Footprint) => ({
  name,
  ...(fallbackName && { name_message: referenceView(fallbackName) }),
})
