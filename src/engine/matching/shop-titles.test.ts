// Kinds of names and titles that were not read, or read wrongly, until release 2026.12.8: five inputs or more of each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertTypes } from '../../../test/assert-types.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { createMatcher } from './matcher.ts'

const { referenceData } = shippedReferenceData()

const matcher = createMatcher(referenceData)
const modelOf = (productName: string): string | null =>
  matcher.match({ productName, brand: null, deviceType: null, productId: null }).model

function assertModels(named: readonly (readonly [text: string, model: string | null])[]): void {
  assert.deepEqual(
    named.map(([text]) => [text, modelOf(text)]),
    named,
  )
}

test('headphones are told by makers that make nothing else, and by lines of makers that do', () => {
  assertTypes('headphone', [
    ['Grado SR80x', null, '0.24'],
    ['Moondrop Blessing 3', null, '0.02'],
    ['AfterShokz Aeropex', null, '0.03'],
    ['Etymotic ER4XR', null, '0.02'],
    ['AKG K702', null, '0.24'],
    ['AKG N200', null, '0.02'],
    ['Beats Solo3 Wireless', null, '0.22'],
    ['Astro A40 TR', null, '0.37'],
    ['ATH-M40x', null, '0.24'],
  ])
  assertTypes('unknown', [
    ['Grado Prestige Blue3', null, '4'],
    ['AKG C414', null, '0.3'],
    ['Astro MixAmp', null, '4'],
    ['Beats Pill', null, '0.7'],
    ['Moondrop crate', null, '12'],
  ])
})

test('portable consoles are told by their makers’ lines', () => {
  assertTypes('gaming_console', [
    ['GPD Win 4', null, '0.6'],
    ['ONEXPLAYER X1', null, '0.8'],
    ['AYANEO Air Plus', null, '0.5'],
    ['AYN Odin 2', null, '0.42'],
    ['Retroid Pocket 5', null, '0.28'],
  ])
  assertTypes('laptop', [
    ['GPD Pocket 3', null, '0.73'],
    ['GPD Win Max 2', null, '1'],
  ])
})

test('the title of a game behind a console and a dash is a game, what shops write of a console is not', () => {
  assertTypes('none', [
    ['PS4 - Red Dead Redemption', null, '0.1'],
    ['PS5 - Returnal', null, '0.1'],
    ['Xbox One - Halo Infinite', null, '0.1'],
    ['PlayStation 4 - Bloodborne', null, '0.1'],
    ['PS5: Demon Souls', null, '0.1'],
  ])
  assertTypes('gaming_console', [
    ['PS5 - Digital Edition', null, '4'],
    ['PS4 - 500GB', null, '2.8'],
    ['Xbox One - 1TB', null, '2.9'],
    ['PlayStation 5 - Disc Drive Edition', null, '4'],
    ['PS5 Disc Drive Edition 1TB God of War', null, '4'],
  ])
})

test('earphones in two pieces, cards for a console and workstations to carry are what they are', () => {
  assertTypes('headphone', [
    ['JBL Tune 130NC TWS', null, '0.05'],
    ['QCY T13 TWS', null, '0.04'],
    ['Liberty 4 Pro TWS', null, '0.05'],
    ['TWS Bluetooth 5.3 blanco', null, '0.05'],
    ['Wave Beam TWS', null, '0.05'],
  ])
  assertTypes('none', [
    ['Xbox Gift Card 50 Euro', null, '0.01'],
    ['PlayStation Network Card', null, '0.01'],
    ['Xbox Game Pass Ultimate 3-Month Card', null, '0.01'],
    ['HP Victus TG02-0000ng', null, '6'],
    ['Sony Vaio PCV-RS100', null, '9'],
  ])
  assertTypes('laptop', [
    ['Dell Precision Workstation 3571', null, '1.9'],
    ['Dell Precision Workstation 7560', null, '2.5'],
  ])
  assertTypes('none', [['Dell Precision Workstation T3500', null, '15']])
})

test('the code of a part behind a device is its own, before it the product', () => {
  assertTypes('laptop', [
    ['MSI GP62M 7REX, GTX 1050 Ti', null, '2.2'],
    ['MSI GL63 8RD GTX1050', null, '2.2'],
    ['MSI GS66 Stealth GTX 1660', null, '2.1'],
    ['MSI GE62 6QC, 15.6", GTX 960M', null, '2.4'],
    ['MSI GF63 Thin GTX1650', null, '1.9'],
  ])
  assertTypes('none', [
    ['MSI GTX 1050 Gaming X', null, '0.8'],
    ['MSI GTX1660', null, '0.9'],
    ['Samsung MZVLB512HBJQ', null, '0.1'],
    ['Samsung MZ-76E500', null, '0.1'],
    ['Projetor Epson portátil', null, '2.4'],
    ['Proyector portátil LG', null, '1.5'],
  ])
})

test('ports, services and operating systems as shops count them do not hide a model', () => {
  assertModels([
    ['HP 255 G10 Ryzen 7 7730U 15.6INCH 2USB-TYPEA HDMI', 'hp-255-15-6-inch-g10'],
    ['NOT. HP PROBOOK 440 G10 I5-1335U 14INC. 2XUSB-C FreeDOS3.0', 'hp-probook-440-14-inch-g10'],
    ['DELL LATITUDE 7430 I7-1265U 512GB-M.2 14INC-FHD W10PRO 3YPS', 'dell-latitude-7430'],
    ['HP 245 G9 Ryzen 3 5425U WIN-PRO64-BITS', 'hp-245-g9'],
    ['Dell U2415 (HDMI2 1.4)', 'dell-u2415'],
    ['Dell P3222QE (DisplayPort 1)', 'dell-p3222qe'],
    ['SAMSUNG GALAXY S24 PLUS 256GB 6.7INC 4CAM.', 'samsung-galaxy-s24-plus'],
    ['Dell Latitude 5420 2TH-4 16GB', 'dell-latitude-5420'],
  ])
})

test('processors and their generations are not the device’s, in any spelling', () => {
  assertModels([
    ['HP EliteBook 840 G6, Core i5, 16GB RAM, 8th Gen', 'hp-elitebook-840-g6'],
    ['Dell Latitude 7490 Core i7 16GB 8th Generation', 'dell-latitude-7490'],
    ['HP 15-fd0102ns N200 8 Go', 'hp-laptop-15-fd-hp-laptop-15-hr'],
    ['HP 15 fd0334TU i5 1334U (9Q970PA)', 'hp-laptop-15-fd-hp-laptop-15-hr'],
    ['HP Pavilion X360 14 ek2025TU Core 7 150U', 'hp-pavilion-x360-14-convertible-pc'],
    ['Dell Latitude 7450 Ultra5-135U-vPro 16GB', 'dell-latitude-7450'],
    ['MacBook Air 13 inch M2 8GPU', 'apple-macbook-air-13-m2-256gb-2022'],
  ])
  // Lenovo counts its generations in these words.
  assertModels([['Lenovo ThinkPad E14 9th Gen i7', null]])
})

test('variants of one number, and a shop’s number that repeats the model’s, are the model', () => {
  assertModels([
    ['Acer Chromebook 511 (C736, C736T)', 'acer-chromebook-511-c736'],
    ['Dell Inspiron 14 5430 i7 (N5430-i7P165W11SL)', 'dell-inspiron-14-5430'],
    ['Dell Inspiron 15 3530 i5 (N3530-i5U165W11SLU)', 'dell-inspiron-15-3530'],
    ['Dell Latitude 3440 i5 (L3440-I51235U-16G512G)', 'dell-latitude-3440'],
    ["Lenovo ThinkPad T470s 14'' Inch", 'lenovo-thinkpad-t470s'],
  ])
  assertModels([['Acer Chromebook 511 (C741L, C741LT)', null]])
})

test('laptops of makers that are called by a common word, and HP’s numbers with an R, are told', () => {
  assertTypes('laptop', [
    ['Casper Nirvana X500', null, '1.6'],
    ['Casper Excalibur G870 i7', null, '2.4'],
    ['Monster Abra A7 V14', null, '2.5'],
    ['Monster Tulpar T5', null, '2.2'],
    ['Notebook Monster Huma H5', null, '1.3'],
    ['Dell Alienware', null, '2.6'],
    ['HP 250R G9', null, '1.7'],
    ['HP 255R G10 Ryzen 5', null, '1.7'],
  ])
  assertTypes('unknown', [
    ['Monster energy', null, '1.5'],
    ['Casper mattress', null, '1.5'],
  ])
  assertTypes('headphone', [
    ['MDR-7506 Studio Monitor Headphones', null, '0.3'],
    ['Reference monitor headphones', null, '0.3'],
    ['Monitor headphones in ear', null, '0.03'],
    ['Audio-Technica ATH-M50x Studio Monitor Headphones', null, '0.3'],
    ['Auriculares studio monitor', null, '0.3'],
  ])
})

test('what a panel shows, what comes with a console, and letters of another keyboard do not hide a model', () => {
  assertModels([
    ['Dell P2422H 99% sRGB RJ-45', 'dell-p2422h'],
    ['Dell U2723QE 27" 98% DCI-P3 RJ45', 'dell-u2723qe'],
    ['Dell U2720Q HDR400', 'dell-u2720q'],
    ['Sony PlayStation 4 500GB Bundle Hits N. Sane', 'sony-playstation-4'],
    ['PS4 Bundle The Last of Us', 'sony-playstation-4'],
    ['iPad Pro 11 М2 (2022) 256GB', 'apple-ipad-pro-11-4th-generation-256gb'],
    ['MacBook Air 13 М2 256GB', 'apple-macbook-air-13-m2-256gb-2022'],
    ['Dell Latitude 5420 14 Cor', 'dell-latitude-5420'],
    ['Dell XPS 17 9720 i7 14 Co', 'dell-xps-9720'],
    ['iPad 7 32GB e Processador A10 Fusion', 'apple-ipad-7th-generation'],
  ])
  assertModels([
    ['MacBook Retina 16 2019 Core i9 1TB', 'apple-macbook-pro-16-2-3ghz-8-core-1tb-2019'],
    ['MacBook 16 Touch Bar 2019 i9 1TB', 'apple-macbook-pro-16-2-3ghz-8-core-1tb-2019'],
    ['MacBook 14 M1 Pro 16GB', null],
    ['MacBook Retina 16GB', null],
  ])
})
