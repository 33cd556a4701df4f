// Kinds of names whose type was not told, or told wrongly, until release 2026.12.7: five inputs or more of each.
import { test } from 'node:test'
import { assertTypes } from '../../../test/assert-types.ts'

test('what a maker makes is told by the weight, if it makes one type of that weight', () => {
  assertTypes('mobile', [
    ['Note 8P', 'Leagoo', '0.19'],
    ['Xplode Plus', 'POCO', '0.2'],
    ['M9 Pro', 'Allview', '0.17'],
    ['C6 Lite', 'Smartisan', '0.18'],
    ['S62', 'Unihertz', '0.21'],
  ])
  assertTypes('tablet', [
    ['Viva H10', 'Allview', '0.55'],
    ['P25', 'Teclast', '0.5'],
    ['Wave i7', 'Mediacom', '0.6'],
    ['Space 10', 'Odys', '0.52'],
    ['EXPRO X1', 'Ulefone', '0.7'],
  ])
  assertTypes('laptop', [
    ['Gemini 14', 'Chuwi', '1.4'],
    ['EX 620', 'Digma', '1.5'],
    ['Eclipse X', 'Machenike', '2.2'],
    ['Duo 15', 'Prestigio', '1.7'],
    ['SX 12', 'VAIO', '0.95'],
  ])
  assertTypes('unknown', [
    ['P25', 'Teclast', '6'],
    ['M9 Pro', 'Allview', '4'],
    ['DM-MON 24', 'Digma', '3.4'],
    ['Note 8P', 'Leagoo', '0.02'],
    ['SX 12', 'VAIO', '9'],
  ])
})

test('a maker that is called by a common word is believed in the brand field alone', () => {
  assertTypes('mobile', [
    ['Tank 3', 'Blu', '0.16'],
    ['Spark 7', 'Fly', '0.15'],
    ['Gate 4', 'Plum', '0.16'],
    ['V95', 'Symphony', '0.17'],
    ['Trend 2', 'Condor', '0.17'],
  ])
  assertTypes('unknown', [
    ['Blu Tack 2', null, '0.16'],
    ['Fly swatter', null, '0.15'],
    ['Plum jam', null, '0.16'],
    ['Symphony No. 5', null, '0.17'],
    ['Advance payment', null, '0.17'],
  ])
})

test('makers are found in any spelling of their name, and two words count before one', () => {
  assertTypes('mobile', [
    ['A50', 'BlackFox', '0.2'],
    ['A50', 'Black Fox', '0.2'],
    ['X4', 'ikumobile', '0.2'],
    ['R520m', 'Sony-Ericsson', '0.1'],
    ['Storm 2', 'Research In Motion Ltd', '0.15'],
    ['5099D', 'TCT (Alcatel)', '0.15'],
  ])
  assertTypes('laptop', [
    ['GE75 Raider', 'Micro-Star International Co., Ltd.', '2.6'],
    ['CF-19', 'Matsushita Electric', '2.3'],
  ])
})

test('codes of portable computers are read by maker', () => {
  assertTypes('laptop', [
    ['15-fd0xxx', 'HP', '1.6'],
    ['HP Laptop 17-cn3xxx', 'Hewlett-Packard', '2.1'],
    ['14-dv2xxx', 'HP', '1.4'],
    ['NBLK-WAX9X', 'HUAWEI', '1.5'],
    ['HVY-WXX9', 'HUAWEI', '1.5'],
    ['GLO-FXXX', 'HONOR', '1.4'],
    ['PA13250', 'Dell', '1.1'],
    ['MB16250', 'Dell', '2'],
    ['P93G', 'Dell', '1.5'],
    ['P112F001', 'Dell', '1.7'],
  ])
  assertTypes('monitor', [['P2419H', 'Dell', '5']])
  assertTypes('unknown', [['P190S', 'Dell', '4']])
  assertTypes('tablet', [['MediaPad BAH2-W19', 'HUAWEI', '0.46']])
})

test('series of laptops are told without the name of their line, by their codes', () => {
  assertTypes('laptop', [
    ['X260', 'Lenovo', '1.4'],
    ['T430s', 'Lenovo', '1.8'],
    ['L460', 'LENOVO', '1.9'],
    ['20052', 'LENOVO', '2.2'],
    ['um325ua', 'ASUS', '1.1'],
    ['W500G5T', 'ASUS', '2.1'],
    ['AO751h', 'Acer', '1.3'],
    ['EX2519', 'Acer', '2.3'],
    ['CN715-71', 'Acer', '2.5'],
    ['MS-16R4', 'MSI', '2.1'],
    ['MS-N033', 'MSI', '1.2'],
    ['RZ09-0239', 'Razer', '2.1'],
    ['NT900X3A', 'Samsung', '1.3'],
    ['270R5J', 'Samsung', '2'],
    ['R700', 'Toshiba', '1.4'],
    ['CF-MX4', 'Panasonic', '1.2'],
    ['16T90R', 'LG', '1.5'],
    ['14U390', 'LG', '1.5'],
    ['D640', 'eMachines', '2.3'],
    ['MD 99080', 'Medion', '2.3'],
    ['GWTN141-10', 'Gateway', '1.6'],
    ['A1286', 'Apple', '2.5'],
  ])
  assertTypes('laptop', [
    ['Aspire V5-431', null, '2.1'],
    ['Aspire 7738G', null, '3'],
    ['Aspire A715-42G', null, '2.1'],
    ['Predator PH317-54', null, '2.8'],
    ['One Mix 3 Pro', null, '0.7'],
  ])
})

test('a code that the weight excludes is passed over for another line of the maker', () => {
  assertTypes('mobile', [
    ['A390t', 'Lenovo', '0.14'],
    ['S720i', 'Lenovo', '0.15'],
    ['E4506', 'Medion', '0.16'],
    ['H60-L04', 'Huawei', '0.16'],
    ['X4701', 'Medion', '0.15'],
  ])
  assertTypes('tablet', [
    ['A3500-H', 'Lenovo', '0.36'],
    ['A8-50 A5500-HV', 'Lenovo', '0.36'],
  ])
  assertTypes('laptop', [
    ['E6228', 'Medion', '2.4'],
    ['X7841', 'Medion', '3'],
  ])
})

test('televisions, boards and cards that bear the name of a line of phones or laptops are none', () => {
  assertTypes('none', [
    ['AQUOS LC-60LE650', 'Sharp', '1.5'],
    ['AQUOS 65BL5EA', 'Sharp', '1.5'],
    ['LC24LE250E AQUOS', 'Sharp', '1.5'],
    ['Aquos 4T-C43', 'Sharp', '9'],
    ['Aquos Quattron LC', 'Sharp', '20'],
    ['TUF Gaming X670E-Plus', 'ASUS', '1.5'],
    ['TUF Gaming Z590-Plus', 'ASUS', '1.5'],
    ['ROG Strix RTX 3090', 'ASUS', '1.7'],
    ['ROG Keris', 'ASUS', '0.9'],
    ['B550M Pro4', 'ASRock', '0.9'],
  ])
  assertTypes('mobile', [
    ['AQUOS wish3', 'Sharp', '0.16'],
    ['AQUOS S3', 'Sharp', '0.16'],
  ])
})

test('the title of a game before its console is a game, what shops write of a console is not', () => {
  assertTypes('none', [
    ['Gran Turismo 7 PS5', null, '0.1'],
    ['Horizon Forbidden West PlayStation 4', null, '0.1'],
    ['Forza Motorsport Xbox One', null, '0.1'],
    ['Hogwarts Legacy - PS4', null, '0.1'],
    ['Halo Infinite Xbox Series X', null, '0.1'],
    ['Xbox 25 € Gift Card', null, '0.1'],
  ])
  assertTypes('gaming_console', [
    ['Used Sony PS4', null, '2.8'],
    ['Brand new Xbox One', null, '3'],
    ['Limited Edition PlayStation 4', null, '2.8'],
    ['Sony Computer Entertainment PlayStation 3', null, '4'],
    ['Konsole PS4 mit FIFA', null, '2.8'],
  ])
})

test('headphones for a device are headphones, and what they come with stands behind them', () => {
  assertTypes('headphone', [
    ['Wired earphones for iPhone 11', null, '0.05'],
    ['Bluetooth headphones for Samsung Galaxy S20', null, '0.2'],
    ['For iPad Pro stereo headphones', null, '0.2'],
    ['Kopfhörer für PlayStation 4', null, '0.3'],
    ['Słuchawki douszne TWS czarne z powerbankiem', null, '0.1'],
    ['Kopfhörer kabellos schwarz mit Mikrofon und Powerbank', null, '0.1'],
    ['Гарнитура Galaxy Buds2', 'Samsung', '0.05'],
  ])
  assertTypes('none', [
    ['iPhone 12 headset', 'Apple', '0.1'],
    ['Headphone splitter', null, '0.1'],
    ['Ear pads for headphones', null, '0.1'],
    ['Case for earbuds', null, '0.1'],
    ['Kopfhörer Verstärkerkabel', null, '0.1'],
  ])
})

test('a service, or a part that a text begins with, is none of the devices that it is for', () => {
  assertTypes('none', [
    ['Reparatur Laptop', null, '1'],
    ['Manutenção notebook Dell', null, '1'],
    ['Conserto de tablet', null, '1'],
    ['Réparation smartphone Samsung', null, '1'],
    ['Ремонт ноутбука', null, '1'],
    ['Software for tablet', null, '1'],
    ['Suporte tablet', null, '1'],
    ['Carregador para celular', null, '0.2'],
    ['Cabo para monitor', null, '0.2'],
    ['Pokrowiec na tablet', null, '0.2'],
    ['Laptop jacket 14', null, '0.3'],
    ['Smartphone gimbal 3', null, '0.4'],
    ['Notebook touchpad', 'Apple', '0.2'],
    ['Yoga Book trackpoint', 'Lenovo', '0.2'],
    ['Blade 14 lid switch', 'Razer', '0.2'],
    ['ThinkPad T490 内存扩展', null, '0.1'],
  ])
  assertTypes('monitor', [['LCD monitor 19', null, '4']])
  assertTypes('laptop', [['Notebook com bateria nova', 'Positivo', '1.8']])
})

test('words for a type mean other things beside loudspeakers, medicine, drawing and sound', () => {
  assertTypes('none', [
    ['Studio monitor 5 inch', null, '5'],
    ['KRK V6 monitor', null, '6'],
    ['Monitor de áudio ativo', null, '5'],
    ['Effervescent tablets', null, '0.3'],
    ['Descaling tablets', null, '0.3'],
    ['Tablette graphique A5', null, '0.6'],
    ['Table de mixage console 8 voies', null, '4'],
  ])
})

test('a maker of other things is believed more than a weak word, and a processor more than the storage', () => {
  assertTypes('none', [
    ['Telephone SIP-T33G', 'Yealink', '0.8'],
    ['Display DS-D5032', 'D-Link', '6'],
    ['Telefon 320', 'Snom', '0.8'],
    ['Phone VVX 250', 'Polycom', '0.9'],
    ['Display 7', 'Aiptek', '0.6'],
  ])
  assertTypes('laptop', [['Chromebook 14" 64GB SSD Celeron N4500 4GB', 'Samsung', '1.4']])
})

test('parts of a monitor in the first clause name it, and inches behind a comma are read', () => {
  assertTypes('monitor', [
    ['LG 24 inch Full HD IPS Panel, Adjustable Stand, 75 Hz monitor', null, '4'],
    ['AOC 27 inch QHD LED IPS Panel with speakers, wall mount, monitor', null, '5'],
  ])
  assertTypes('laptop', [
    ['Acer Celeron N4500,8GB,256GB,15.6" FHD', null, '1.7'],
    ['Lenovo Ryzen 3,8GB,512GB,14" FHD', null, '1.5'],
    ['HP Core i3,4GB,1TB,17.3"', null, '2.2'],
  ])
})

test('lines that a maker sells in one country are read in its script, and consoles of earlier years by name', () => {
  assertTypes('laptop', [
    ['华硕灵耀14 2025', null, '1.2'],
    ['华硕无畏 15i', null, '1.7'],
    ['联想拯救者 Y7000P', null, '2.4'],
    ['戴尔灵越 5440', null, '1.6'],
    ['天选 5 Pro', 'ASUS', '2.2'],
  ])
  assertTypes('gaming_console', [
    ['Mega Drive II', 'Sega', '1'],
    ['3DO FZ-10', 'Panasonic', '2'],
    ['Neo Geo AES', 'SNK', '2'],
    ['WonderSwan Color', 'Bandai', '0.2'],
    ['Intellivision II', null, '2'],
  ])
})
