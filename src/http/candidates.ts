// Candidates as an answer shows them.
import Type from 'typebox'
import { component } from './component.ts'

export const MatchCandidate = component(
  'MatchCandidate',
  Type.Object(
    {
      model_id: Type.String({ description: 'Device model identifier.', examples: ['apple-macbook-air-13-m3-256gb'] }),
      name: Type.String({ description: 'Brand and name of the model.' }),
      score: Type.Number({ description: 'How much of text and name agrees, 0 to 1.', minimum: 0, maximum: 1 }),
      reasons: Type.Array(Type.String(), { description: 'What fits, what is left open, what contradicts.' }),
    },
    { description: 'A model that the words may mean.' },
  ),
)
