// A text field with suggestions below it, walked through by the arrow keys: the combobox of the ARIA practices.
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import './combobox.css'

export interface SuggestingInputProps<Suggestion> {
  readonly id: string
  readonly describedBy: string
  readonly isInvalid?: boolean
  readonly value: string
  readonly placeholder: string
  /** What the list is called. */
  readonly label: string
  readonly suggestions: readonly Suggestion[]
  readonly keyOf: (suggestion: Suggestion) => string
  readonly render: (suggestion: Suggestion) => ReactNode
  readonly onType: (text: string) => void
  readonly onChoose: (suggestion: Suggestion) => void
}

export function SuggestingInput<Suggestion>(props: SuggestingInputProps<Suggestion>) {
  const { id, describedBy, isInvalid, value, placeholder, suggestions, onType, onChoose } = props
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const isShown = isOpen && suggestions.length > 0
  const close = () => {
    setOpen(false)
    setAt(-1)
  }
  const choose = (suggestion: Suggestion) => {
    close()
    onChoose(suggestion)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = isShown ? suggestions[at] : undefined
    if (step !== undefined) {
      setOpen(true)
      // One place more than there are suggestions: the field itself, with what was typed.
      setAt(((at + 1 + step + suggestions.length + 1) % (suggestions.length + 1)) - 1)
    } else if (event.key === 'Enter' && chosen !== undefined) choose(chosen)
    else if (event.key === 'Escape' && isShown) {
      // A dialog around it would close, too.
      event.stopPropagation()
      close()
    } else return
    event.preventDefault()
  }
  return (
    <div className="suggesting">
      <input
        id={id}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-activedescendant={isShown && at >= 0 ? `${listId}${at}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        autoComplete="off"
        maxLength={200}
        placeholder={placeholder}
        value={value}
        onKeyDown={onKeyDown}
        onBlur={close}
        onChange={({ target }) => {
          setOpen(true)
          setAt(-1)
          onType(target.value)
        }}
      />
      {isShown && <Suggestions {...props} listId={listId} at={at} choose={choose} />}
    </div>
  )
}

interface SuggestionsProps<Suggestion> extends SuggestingInputProps<Suggestion> {
  readonly listId: string
  readonly at: number
  readonly choose: (suggestion: Suggestion) => void
}

function Suggestions<Suggestion>(props: SuggestionsProps<Suggestion>) {
  const { listId, label, suggestions, at, keyOf, render, choose } = props
  return (
    <ul id={listId} role="listbox" aria-label={label} className="bare suggestions">
      {suggestions.map((suggestion, place) => (
        <li
          key={keyOf(suggestion)}
          id={`${listId}${place}`}
          role="option"
          aria-selected={place === at}
          className="suggestion"
          // The field keeps the focus, so that the list does not close before it is pressed.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(suggestion)}
        >
          {render(suggestion)}
        </li>
      ))}
    </ul>
  )
}
