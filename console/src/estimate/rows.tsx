// Fields of which there are as many as one likes: rows to add to and to take away from.
import { useRef, type ReactNode } from 'react'

export interface RowsProps<Row> {
  readonly rows: readonly Row[]
  readonly onChange: (rows: readonly Row[]) => void
  /** What a row that is added begins with. */
  readonly added: Row
  readonly addLabel: string
  /** What the row of a number, from 1 on, is called, and the button that takes it away. */
  readonly nameOf: (number: number) => string
  readonly removeLabelOf: (number: number) => string
  /** @param remove the button that takes the row away */
  readonly children: (row: Row, set: (row: Row) => void, remove: ReactNode) => ReactNode
}

export function Rows<Row>({ rows, onChange, added, addLabel, nameOf, removeLabelOf, children }: RowsProps<Row>) {
  // What is removed takes its button along: the focus goes to where it can be added again.
  const add = useRef<HTMLButtonElement>(null)
  const remove = (at: number) => {
    onChange(rows.toSpliced(at, 1))
    add.current?.focus()
  }
  return (
    <>
      {rows.map((row, at) => (
        <fieldset key={at} className="estimate-row">
          <legend>{nameOf(at + 1)}</legend>
          {children(
            row,
            (changed) => onChange(rows.with(at, changed)),
            <RemoveButton label={removeLabelOf(at + 1)} onClick={() => remove(at)} />,
          )}
        </fieldset>
      ))}
      <button ref={add} type="button" className="button" onClick={() => onChange([...rows, added])}>
        {addLabel}
      </button>
    </>
  )
}

function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="button" aria-label={label} title={label} onClick={onClick}>
      <span aria-hidden>×</span>
    </button>
  )
}
