// Before anything is painted: the chosen scheme and language, so that nothing flashes in another one.
{
  const read = (name) => {
    try {
      return localStorage.getItem(`cradle.${name}`)
    } catch {
      return null
    }
  }
  const scheme = read('scheme')
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme
  const language = read('language') ?? (navigator.language.startsWith('de') ? 'de' : 'en')
  document.documentElement.lang = language === 'de' ? 'de' : 'en'
}
