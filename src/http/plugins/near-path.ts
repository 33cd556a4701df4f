// The path that a client probably meant: with a slash at its end, two in a row, or other upper and lower case.

/**
 * @param templates the paths of all operations, with parameters in braces
 * @returns a function that returns the right path for a wrong one; null if it resembles none
 */
export function createNearPath(templates: readonly string[]): (url: string) => string | null {
  const segmentsOfTemplates = [...new Set(templates)].map((template) => template.split('/'))
  return (url) => {
    const sent = url
      .replace(/\?.*/s, '')
      .replace(/\/{2,}/g, '/')
      .replace(/\/$/, '')
      .split('/')
    const template = segmentsOfTemplates.find((segments) => isLike(segments, sent))
    return template ? template.map((segment, at) => (isParameter(segment) ? sent[at]! : segment)).join('/') : null
  }
}

const isParameter = (segment: string): boolean => segment.startsWith('{')

const isLike = (template: readonly string[], sent: readonly string[]): boolean =>
  template.length === sent.length &&
  template.every((segment, at) =>
    isParameter(segment) ? sent[at] !== '' : segment.toLowerCase() === sent[at]!.toLowerCase(),
  )
