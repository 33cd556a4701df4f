// How often what is drawn at random is drawn: a few times in `npm test`, and often with TEST_LONG=1.

export const rounds = (usual: number, long: number): number => (process.env['TEST_LONG'] === '1' ? long : usual)
