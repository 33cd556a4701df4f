// A list of devices in the browser: what it lacks is asked for, and its settings are kept for the next one.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { assertAccessible, signIn, startConsole, visit } from './browser.ts'

const REGISTER = ['Device name;Serial number;Model', 'LT-01;SN-R-1;Dell Latitude 7490', 'LT-02;SN-R-2;Dell P2419H', '']
const WITH_KINDS = [
  'Device name;Serial number;Model;Kind',
  'LT-03;SN-R-3;Dell Latitude 7490;Klapprechner',
  'PH-04;SN-R-4;Mitel 5312;Fernsprecher',
  '',
]

test('a list of devices becomes orders by what is stated once, and its settings are kept and offered', async () => {
  const server = await startConsole()
  const visitor = await visit(server.url)
  await signIn(visitor, server.key)
  const { page } = visitor
  const choose = (name: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(REGISTER.join('\n')) })
  await page.getByRole('link', { name: 'Import' }).click()
  await choose('devices.csv')
  await page
    .getByRole('alert')
    .getByText(/needs more information/)
    .waitFor()
  await assertAccessible(page, 'import-register')
  await page.getByLabel('Customer').fill('acme')
  await page.getByLabel('Start of tenure').fill('2025-01-01')
  await page.getByLabel('Months of tenure').fill('36')
  await page.getByLabel('Weight of a device (kg)').fill('2')
  await page.getByLabel('Model').selectOption('product_name')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Import one order' }).click()
  await page.getByLabel('Profile name').fill('Devices of acme')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Settings saved as “Devices of acme”').waitFor()
  const { rows } = await server.pool.query<{ devices: bigint }>('select count(*) as devices from devices')
  assert.equal(rows[0]!.devices, 2n)

  await page.getByRole('link', { name: 'Import', exact: true }).first().click()
  await choose('devices-again.csv')
  await page.getByRole('button', { name: 'Use the settings of “Devices of acme”' }).click()
  await page.getByText('devices-again.csv').first().waitFor()
  await assertAccessible(page, 'import-by-profile')

  // Words for types of device that the service does not know are given a meaning, which the profile keeps.
  await page.getByRole('link', { name: 'Import', exact: true }).first().click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'kinds.csv', mimeType: 'text/csv', buffer: Buffer.from(WITH_KINDS.join('\n')) })
  await page.getByLabel('Customer').fill('acme')
  await page.getByLabel('Start of tenure').fill('2025-01-01')
  await page.getByLabel('Months of tenure').fill('36')
  await page.getByLabel('Weight of a device (kg)').fill('2')
  await page.getByLabel('Model').selectOption('product_name')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Kind', { exact: true }).selectOption('device_type')
  await page.getByLabel('Another word of the file').fill('Klapprechner')
  await page.getByRole('button', { name: 'Add word' }).click()
  await page.getByLabel('Klapprechner').selectOption('laptop')
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByLabel('Fernsprecher').selectOption('-')
  await assertAccessible(page, 'import-values')
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Import one order' }).click()
  await page.getByLabel('Profile name').fill('Kinds')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Settings saved as “Kinds”').waitFor()
  const kept = await server.pool.query<{ settings: string }>(
    "select settings::text from import_profiles where settings::text like '%Klapprechner%'",
  )
  assert.match(kept.rows[0]!.settings, /"Klapprechner": ?"laptop"/)
  assert.match(kept.rows[0]!.settings, /"Fernsprecher": ?"-"/)
})
