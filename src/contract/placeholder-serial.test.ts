// Placeholders for serial numbers: what is refused in five languages, and short serial numbers that are not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlaceholderSerialNumber } from './placeholder-serial.ts'

const PLACEHOLDERS = {
  'firmware and inventory programs': [
    ...['To be filled by O.E.M.', 'Default string', 'System Serial Number', 'Not Specified', 'None', 'INVALID'],
    ...['0123456789', '00000000', 'Chassis Serial Number', 'System SN'.replace('SN', 'serial')],
  ],
  English: [
    'N/A',
    'n.a.',
    'NA',
    '#N/A',
    'none',
    'null',
    'unknown',
    'No tag',
    'no S/N',
    'TBD',
    'to be confirmed',
    '(blank)',
  ],
  German: ['unbekannt', 'k.A.', 'keine Angabe', 'ohne', 'entfällt', 'nicht verfügbar', 'Seriennummer', 'folgt'],
  French: ['inconnu', 'néant', 'S/O', 'sans objet', 'non renseigné', 'Numéro de série', 'N.C.', 'à définir'],
  Spanish: ['desconocido', 'ninguno', 'sin número de serie', 'no aplica', 'S/N', 'pendiente'],
  Italian: ['sconosciuto', 'nessuno', 'n.d.', 'non disponibile', 'senza numero', 'matricola'],
  'marks without letters and digits': ['-', '--', '—', '?', '...', '/', '*****'],
  'one character repeated': ['0', '0000', '000-000-000', '111111', '99999999', 'aaaa', 'X'.repeat(2), 'x'.repeat(8)],
}

for (const [kind, texts] of Object.entries(PLACEHOLDERS)) {
  test(`placeholders: ${kind}`, () => {
    assert.deepEqual(
      texts.filter((one) => !isPlaceholderSerialNumber(one)),
      [],
    )
    assert.deepEqual(
      texts.filter((one) => !isPlaceholderSerialNumber(` ${one.toUpperCase()} `)),
      [],
    )
  })
}

test('short serial numbers, and those that contain a placeholder, are not refused', () => {
  const serialNumbers = [
    ...['A', 'X', '7', '1', 'AA', 'AAA', '11', '999', '55555', '10', '007', '0x1', '1000000', 'KA', 'SO', 'ND', 'SN-1'],
    ...[
      'C02XL0AAJGH5',
      'N/A-17',
      'unknown-4711',
      '0000001',
      '111112',
      'NONE1',
      'Ä-2',
      '日本',
      'a1a1a1a1',
      '7*7*7*7*7*7',
    ],
  ]
  assert.deepEqual(serialNumbers.filter(isPlaceholderSerialNumber), [])
})
