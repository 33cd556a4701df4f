// A cell as it stands in the file: what is long is broken, what is empty is told from what is not there.
export const Written = ({ text }: { readonly text: string | null }) =>
  text === null ? <span className="muted">–</span> : <span className="import-written">{text === '' ? '""' : text}</span>
