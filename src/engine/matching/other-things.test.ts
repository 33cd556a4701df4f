// Games, parts, accessories and services that name a device without a "for": until release 2026.12.8 they were devices.
import { test } from 'node:test'
import { assertTypes } from '../../../test/assert-types.ts'

test('a game behind its console’s name is told by the weight, unlike a place, an owner and a bundle', () => {
  assertTypes('none', [
    ['PlayStation 5 Baldur’s Gate 3', null, '0.1'],
    ['PS4 Mortal Kombat 11', null, '0.09'],
    ['Xbox Series X Palworld', null, '0.08'],
    ['Xbox One Sea of Thieves', null, '0.1'],
    ['Nintendo Switch Kirby and the Forgotten Land', null, '0.06'],
    ['PlayStation 5 Starter Set of cards', null, '1.5'],
    ['Stardew Valley: Nintendo Switch Edition', null, '0.06'],
    ['Nintendo Switch: Splatoon 3', null, '0.06'],
    ['Metroid Dread - Nintendo Switch', null, '0.06'],
  ])
  assertTypes('gaming_console', [
    ['PlayStation 5 Meeting room 3', null, '4'],
    ['PS4 Kantine', null, '2.8'],
    ['Xbox Series X Astrid Meier', null, '4.4'],
    ['PlayStation 5 Ratchet & Clank Bundle', null, '4.5'],
    ['Nintendo Switch OLED Splatoon 3 Edition', null, '0.42'],
    ['Nintendo Switch Fortnite Special Edition', null, '0.4'],
    ['Pokémon Nintendo Switch Lite', null, '0.28'],
    ['PlayStation 5', null, '1'],
    ['PS5 CFI-2016A', null, '1'],
    ['PlayStation Portable', null, '0.28'],
  ])
})

test('what is played, given, worn or read with a console’s name is no console', () => {
  assertTypes('none', [
    ['Mando PS5 DualSense negro', null, '0.3'],
    ['Manette Xbox Series X noire', null, '0.3'],
    ['Controle sem fio PlayStation 4', null, '0.25'],
    ['Volante PS4 Logitech', null, '3'],
    ['PlayStation Plus 3 meses', null, '0.05'],
    ['Xbox Live Gold 12 Monate', null, '0.05'],
    ['Abbonamento Nintendo Switch Online', null, '0.05'],
    ['Caneca PlayStation', null, '0.4'],
    ['PlayStation Tasse blau', null, '0.4'],
    ['Libro PlayStation', null, '1.2'],
    ['PS5 Faceplates rot', null, '0.4'],
  ])
  assertTypes('headphone', [
    ['Headset PlayStation 4', null, '0.3'],
    ['SteelSeries Arctis 7X Xbox Headset', null, '0.35'],
    ['Headset gamer PS5 preto', null, '0.3'],
    ['Pulse Headset - PS5', null, '0.3'],
    ['Casque PS4', null, '0.3'],
  ])
})

test('a thing that a text begins with is the product in any language, whatever device it names behind', () => {
  assertTypes('none', [
    ['Tarjeta de red WiFi laptop HP', null, '0.02'],
    ['Lote 10 memorias RAM laptop 4gb', null, '0.2'],
    ['Carte mère ordinateur portable Asus', null, '0.4'],
    ['WLAN-Karte ThinkPad X270', null, '0.02'],
    ['Scheda madre notebook Acer', null, '0.4'],
    ['Placa de vídeo notebook', null, '0.3'],
    ['Matryca do laptopa 14', null, '0.4'],
    ['Toetsenbord laptop HP 250', null, '0.2'],
    ['Ventola notebook Lenovo', null, '0.1'],
    ['Szkło hartowane iPhone 12', null, '0.05'],
    ['Cristal templado Redmi Note 9', null, '0.05'],
    ['Objectif caméra iPhone 12', null, '0.02'],
    ['Almohadillas auriculares Bose', null, '0.03'],
    ['Braccio monitor da tavolo', null, '3'],
    ['HP Care Pack 3 years notebook', null, '0.1'],
    ['Garantieverlängerung ThinkPad', null, '0.1'],
    ['Norton 360 Smartphone Tablet', null, '0.1'],
    ['Caja vacía iPhone 13', null, '0.2'],
    ['Cahier notebook A5', null, '0.3'],
  ])
  assertTypes('none', [
    ['Laptop klavye Asus X515', null, '0.2'],
    ['Laptop batarya Dell', null, '0.3'],
    ['iPhone 12 empty box', null, '0.2'],
    ['MacBook Pro 2015 logic board', null, '0.3'],
    ['Wacom Bamboo Tablet', null, '0.5'],
    ['LinkBuds S | Fitting Supporters', null, '0.02'],
  ])
})

test('devices that come with a thing, or begin with a word for their kind, stay devices', () => {
  assertTypes('laptop', [
    ['Laptop HP 250 G8 bez zasilacza', null, '1.7'],
    ['Notebook Dell mit Tasche und Maus', null, '1.7'],
    ['Portátil Lenovo con teclado español 8GB', null, '1.7'],
    ['HP ProBook 450 mit Ladegerät', null, '1.7'],
    ['Nuevo portátil Asus', null, '1.7'],
  ])
  assertTypes('tablet', [
    ['Xiaomi Pad 6', null, '0.5'],
    ['Honor Pad 9', null, '0.55'],
    ['iPad Air 4 con teclado', null, '0.5'],
    ['Tablet Lenovo con lápiz', null, '0.5'],
    ['Galaxy Tab S9 + clavier', null, '0.5'],
  ])
  assertTypes('mobile', [
    ['iPhone 13 con funda', null, '0.2'],
    ['Smartphone Samsung Tela 6.5', null, '0.2'],
    ['Celular Motorola pantalla 6.8 cámara 108MP', null, '0.2'],
    ['iPhone 11 Bateria 85%', null, '0.2'],
    ['Telefon Xiaomi Redmi 12', null, '0.2'],
  ])
})

test('a screen that a text names before or behind a phone or laptop is its part, else a monitor', () => {
  assertTypes('none', [
    ['Pantalla LCD Redmi 10', null, '0.1'],
    ['Ecran iPhone 12', null, '0.1'],
    ['Display Galaxy S20', null, '0.1'],
    ['Tela notebook 14', null, '0.4'],
    ['Bildschirm MacBook Air 13', null, '0.4'],
    ['LCD panel 15.6 30 pin', null, '0.4'],
    ['MacBook Air 2017 Pantalla', null, '0.4'],
  ])
  assertTypes('monitor', [
    ['Ecran Samsung 24 pouces', null, '4'],
    ['Pantalla Dell 27', null, '5'],
    ['Bildschirm HP EliteDisplay', null, '5'],
    ['Display Lenovo ThinkVision', null, '5'],
    ['Schermo LG 32 4K', null, '7'],
  ])
})

test('telephones of a desk, desktops of a line of laptops, and things called portable are none of the types', () => {
  assertTypes('none', [
    ['Teléfono Yealink T46U', null, '0.9'],
    ['Telefono Cisco 8841', null, '0.9'],
    ['Schnurloses Telefon Panasonic', null, '0.4'],
    ['Téléphone sans fil Logicom', null, '0.4'],
    ['Telefon stacjonarny', null, '0.5'],
    ['Acer Aspire C24-1650', null, '4'],
    ['Acer Aspire Z3-715', null, '7'],
    ['Acer Predator G3-605', null, '10'],
    ['Dell Vostro 3268', null, '5'],
    ['Medion Akoya P5320 E', null, '9'],
    ['Ordinateur de bureau Asus', null, '6'],
    ['Komputer stacjonarny Dell Inspiron', null, '6'],
    ['Climatizador portátil', null, '20'],
    ['Escáner portátil Brother', null, '0.5'],
    ['Radio portatile', null, '0.5'],
  ])
  assertTypes('laptop', [
    ['Acer Aspire A515-56', null, '1.7'],
    ['Acer Aspire R3-131T', null, '1.4'],
    ['Acer Aspire M5-581TG', null, '2.1'],
    ['Dell Vostro 3520', null, '1.7'],
    ['Medion Akoya P6670', null, '2.3'],
  ])
})
