// Messages for people that programs can handle too: a code, values, and the English sentence made from both.

/** A value in a message: text as it was sent, a number, a message within the message, or several texts or messages. */
export type MessageValue = string | number | Message | readonly (string | Message)[]

export type MessageParams = Readonly<Record<string, MessageValue>>

/** A sentence with its code, by which a client can recognise or translate it. */
export interface Message {
  /** In English. */
  readonly message: string
  /** Unique among all messages, and stable: clients compare it. */
  readonly code: string
  /** The values that the sentence names. A number is a plain number; a day is YYYY-MM-DD. */
  readonly params: MessageParams
}

/** A sentence with names in braces; a long one in parts, since the compiler does not read names in joined strings. */
type Template = string | readonly string[]

/** The names in braces in a template. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

type NamesOf<One extends Template> = NamesIn<One extends readonly string[] ? One[number] : One>

type MessageOf<One extends Template> = [NamesOf<One>] extends [never]
  ? () => Message
  : (params: Readonly<Record<NamesOf<One>, MessageValue>>) => Message

/**
 * Defines messages by their codes. In a template, `{name}` stands for a value, which whoever makes the message must
 * give: the compiler checks it.
 */
export function defineMessages<const Templates extends Readonly<Record<string, Template>>>(
  templates: Templates,
): { readonly [Code in keyof Templates]: MessageOf<Templates[Code]> } {
  const makers = Object.entries(templates).map(([code, parts]) => {
    // Text and names by turns. A file may have a million errors, so a template is split only once.
    const pieces = [parts]
      .flat()
      .join('')
      .split(/\{(\w+)\}/)
    const make = (params: MessageParams = {}): Message => ({ message: fillIn(pieces, params), code, params })
    return [code, make] as const
  })
  return Object.fromEntries(makers) as never
}

/** @param pieces of a template: every second one is the name of a value */
function fillIn(pieces: readonly string[], params: MessageParams): string {
  let text = pieces[0]!
  for (let at = 1; at < pieces.length; at += 2) text += textOf(params[pieces[at]!]!) + pieces[at + 1]!
  return text
}

function textOf(value: MessageValue): string {
  if (typeof value !== 'object') return String(value)
  return 'message' in value ? value.message : value.map(textOf).join(', ')
}

/** The same message with a small first letter, to continue a sentence. */
export const inSentence = (one: Message): Message => ({
  ...one,
  message: one.message.charAt(0).toLowerCase() + one.message.slice(1),
})
