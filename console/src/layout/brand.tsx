// The name of the console, with its mark.

export const Brand = () => (
  <span className="brand">
    <img src="/icon.svg" alt="" width="28" height="28" />
    Cradle
  </span>
)
