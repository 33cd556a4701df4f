// A list of devices in the browser: what it lacks is asked for, and its settings are kept for the next one.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { assertAccessible, signIn, startConsole, visit } from './browser.ts'

const REGISTER = ['Device name;Serial number;Model', 'LT-01;SN-R-1;Dell Latitude 7490', 'LT-02;SN-R-2;Dell P2419H', '']

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
})
