// What tells the type of a device whose model is unknown, by kind: each row is a text, its brand field and its weight.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertTypes, productOf, typeOf, type TypedRow as Row } from '../../../test/assert-types.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { readType } from './type-reading.ts'

const { referenceData } = shippedReferenceData()

test('phones are told by lines and network operators’ codes of makers that also make other things', () => {
  assertTypes('mobile', [
    ['AQUOS sense4', 'Sharp', '0.18'],
    ['SH-10B', 'SHARP', '0.23'],
    ['ARROWS Me F-11D', 'Fujitsu', '0.14'],
    ['DIGNO E 503KC', 'KYOCERA', '0.13'],
    ['MEDIAS ES N-05D', 'NEC', '0.13'],
    ['P-07C', 'Panasonic', '0.13'],
    ['702SO', 'Sony Mobile', '0.16'],
    ['Optimus L7 II', 'LG', '0.12'],
    ['Droid Turbo 2', 'Motorola', '0.17'],
    ['Vibe P1', 'Lenovo', '0.19'],
    ['Liquid Jade Primo', 'Acer', '0.15'],
    ['Wave 525', 'Samsung', '0.1'],
    ['Honor 9X', 'Huawei', '0.2'],
    ['90 Lite', 'Honor', '0.18'],
    ['Axon 7 mini', 'ZTE', '0.16'],
    ['Nexus 6P', 'Huawei', '0.18'],
  ])
  assertTypes('tablet', [
    ['AQUOS PAD SH-08E', 'Sharp', '0.3'],
    ['SH-08E', 'Sharp', '0.3'],
    ['ARROWS Tab F-02F', 'Fujitsu', '0.5'],
    ['Nexus 9', 'HTC', '0.4'],
    ['Nexus 7', 'ASUS', '0.3'],
    ['Pad X8', 'Honor', '0.4'],
    ['Tab 8', 'Blackview', '0.4'],
  ])
})

test('a maker of one type means that type by a weight of it, and nothing by another', () => {
  assertTypes('mobile', [
    ['X90 Pro', 'Vivo', '0.2'],
    ['12R', 'OnePlus', '0.2'],
    ['Hot 40i', 'Infinix', '0.19'],
    ['Pova 5', 'Tecno Mobile', '0.2'],
    ['Lenny 5', 'Wiko', '0.18'],
    ['Curve 8520', 'BlackBerry', '0.1'],
    ['HTC Desire 825', null, '0.15'],
  ])
  assertTypes('laptop', [
    ['InfinityBook S 14 v5', 'TUXEDO', '1.2'],
    ['XMG CORE 15', 'SCHENKER', '2'],
    ['Lemur Pro', 'System76', '1.2'],
    ['EasyNote LV44HC', 'Packard Bell', '2.7'],
    ['Packard Bell LV44HC', null, '2.7'],
  ])
  assertTypes('unknown', [
    ['X90 Pro', 'Vivo', '4'],
    ['Z9', 'Doogee', '0.02'],
    ['Core', 'TUXEDO', '9'],
  ])
  assertTypes('none', [
    ['AL-M200 PS3', 'Epson', '12'],
    ['Epson AL-M200 PS3', null, '12'],
    ['WF-2830', 'Seiko Epson', '5'],
    ['DCP-7055', 'Brother Industries', '9'],
    ['C540', 'Lexmark International', '12'],
    ['watch 2', 'OnePlus', '0.1'],
  ])
})

test('a screen of a tablet makes a phone’s line one, unless the phone folds', () => {
  assertTypes('tablet', [
    ['Blade X10 10.1"', 'ZTE', '0.5'],
    ['Idol 3 10,1 Zoll', 'Alcatel', '0.5'],
    ['Pixi 3 8"', 'Alcatel', '0.3'],
    ['Eluga 10.1 inch', 'Panasonic', '0.5'],
    ['Liquid 8 pouces', 'Acer', '0.4'],
  ])
  assertTypes('mobile', [
    ['Galaxy Z Fold5 7.6"', 'Samsung', '0.25'],
    ['Magic V2 7.92"', 'Honor', '0.23'],
    ['Mate X3 7.85 inch', 'Huawei', '0.24'],
    ['Blade V40 6.6"', 'ZTE', '0.19'],
    ['Smartphone Blade 8"', 'ZTE', '0.3'],
  ])
})

test('makers are known by names of their firms, and a brand field may name the type', () => {
  assertTypes('laptop', [
    ['X550CC', 'ASUSTeK COMPUTER INC.', '2.2'],
    ['ROG Zephyrus G14 GA401QM', 'ASUSTek', '1.6'],
    ['ThinkPad R50e', 'IBM', '2.8'],
    ['IBM ThinkPad X31', null, '1.7'],
    ['W65_67SZ', 'Notebook', '2.5'],
    ['N13xWU', 'Laptop', '1.3'],
    ['305V4A/305V5A', 'SAMSUNG ELECTRONICS CO., LTD.', '2.2'],
    ['HLYL-WXX9', 'HUAWEI', '1.5'],
    ['Compaq 6730b', 'Hewlett-Packard', '2.6'],
  ])
  assertTypes('monitor', [['27B1', 'Monitor', '5']])
  assertTypes('tablet', [['M10', 'Tablette', '0.5']])
  assertTypes('none', [
    ['NetVista A22p', 'IBM', '9'],
    ['xSeries 345', 'IBM', '25'],
    ['iMedia S2883', 'Packard Bell', '7'],
  ])
})

test('monitors are told by the codes of their makers, televisions and projectors are none', () => {
  assertTypes('monitor', [
    ['AL1717', 'Acer', '4'],
    ['1708FP', 'Dell', '5'],
    ['2208WFP', 'Dell', '6'],
    ['L1753T', 'LG', '4'],
    ['22MP410-B', 'LG', '3'],
    ['24MK600M', 'LG', '4'],
    ['VW193D', 'ASUS', '4'],
    ['SDM-X72', 'Sony', '5'],
    ['190CW7', 'Philips', '4'],
    ['LA2405x', 'HP', '6'],
    ['245B', 'Samsung', '6'],
    ['S27E391H', 'Samsung', '4'],
    ['Y25-25', 'Lenovo', '6'],
    ['Samsung C24F390 SAM0D2C 1920x1080 521x293mm', null, '3.5'],
  ])
  for (const row of [
    ['43UN7300', 'LG', '9'],
    ['X1326AWH', 'Acer', '3'],
    ['MW535A', 'BenQ', '2.3'],
    ['55C735', 'TCL', '13'],
    ['TX-50HXW804', 'Panasonic', '18'],
  ] as const)
    assert.ok(['none', 'unknown'].includes(typeOf(row)), row[0])
})

test('processor, memory and the screen of a laptop make a laptop of a text that names none', () => {
  assertTypes('laptop', [
    ['HP 14 Celeron N4500 4GB RAM 64GB', null, '1.4'],
    ['HP 17 i5 8GB 256GB SSD', null, '2.1'],
    ['Spirit 2 Core i3 8GB 256GB SSD 15.6"', 'itel', '1.7'],
    ['Zinox 14" Intel Celeron 4GB RAM 64GB eMMC', null, '1.3'],
    ['Lenovo 15,6 Zoll Ryzen 5 8GB RAM 512GB SSD', null, '1.7'],
    ['Dell 14 pouces Core i7 16GB RAM', null, '1.5'],
  ])
  for (const row of [
    ['Intel Core i5 16GB RAM 512GB SSD', null, '6'],
    ['Acer 23.8" Core i5 8GB RAM 256GB SSD AIO', null, '6'],
    ['Acer 23.8" Core i5 8GB RAM 256GB SSD', null, '6'],
    ['Zinox 14"', null, '2'],
  ] as const)
    assert.ok(['none', 'unknown'].includes(typeOf(row)), row[0])
})

test('what a computer comes with, behind processor and memory, does not hide it; a part of it does', () => {
  assertTypes('laptop', [
    ['HP 15 TOUCH CORE I5 16GB RAM 512GB SSD BACKLIT KEYBOARD', null, '1.7'],
    ['Asus Vivobook 15 Celeron 4GB RAM 256GB SSD Keyboard light + BAG', null, '1.7'],
    ['Lenovo IdeaPad 3 Core i3 8GB RAM 256GB + mouse', null, '1.7'],
    ['Acer Aspire 5 Ryzen 5 8GB RAM 512GB, bag and mouse', null, '1.7'],
    ['Dell Inspiron 15 i5 8GB RAM charger', null, '1.7'],
    ['Lenovo IdeaPad Laptop (8GB, Game Pass)', null, '1.7'],
  ])
  assertTypes('none', [
    ['HP EliteBook 840 G5 Core i5 8GB RAM Mainboard', null, '0.5'],
    ['Keyboard for HP 15 Core i5 8GB RAM', null, '0.5'],
    ['Bag for Dell Latitude 14', null, '0.5'],
    ['Battery HP EliteBook 840 G5', null, '0.5'],
    ['Ladegerät für HP 15 i5 8GB RAM', null, '0.5'],
  ])
})

test('desktops of a line of laptops, hubs in a device and other things are none', () => {
  assertTypes('none', [
    ['Precision 390', 'Dell', '17'],
    ['Precision 690', 'Dell', '20'],
    ['Precision T3400', 'Dell', '15'],
    ['Dimension 8300', 'Dell', '12'],
    ['Compaq dc7900', 'HP', '9'],
    ['DTK-1660 [Cintiq 16] hub', 'Wacom', '0.3'],
    ['DTH-W1321H [MobileStudio Pro 13] external hub', 'Wacom', '0.3'],
    ['5330e IP Phone', 'Mitel', '0.5'],
  ])
  assertTypes('laptop', [
    ['Precision M4800', 'Dell', '2.9'],
    ['Precision 5530', 'Dell', '1.8'],
  ])
})

test('a line that spells more of a text counts more than a pattern, and a maker’s line more than a form', () => {
  assertTypes('laptop', [
    ['LIFEBOOK E752', 'Fujitsu', '2.6'],
    ['G50-70 20351', 'Lenovo', '2.5'],
    ['VivoBook X570Z', 'ASUS', '1.9'],
  ])
  assertTypes('tablet', [
    ['Surface Pro convertible', 'Microsoft', '0.8'],
    ['G Pad F2 8.0"', 'LG', '0.3'],
    ['Surface 3', 'Microsoft', '0.6'],
  ])
})

test('a code of a line counts only with a weight of its type, a name with any', () => {
  for (const row of [
    ['MS2042D', 'LG', '12'],
    ['SNH-P6410BN', 'Samsung', '0.3'],
    ['P-07C', 'Panasonic', '9'],
    ['K55VD', 'ASUS', '0.2'],
    ['E2243', 'AOC', '0.1'],
  ] as const)
    assert.equal(typeOf(row), 'unknown', row[0])
  assertTypes('mobile', [['Galaxy S21', 'Samsung', '180']])
  assertTypes('laptop', [['Vostro 3511', 'Dell', '0.2']])
})

test('parts that a text of a computer mentions do not make it another thing', () => {
  assertTypes('laptop', [
    ['ThinkPad L380 i5 8GB webcam', 'Lenovo', '1.5'],
    ['Latitude 9999 fingerprint scanner', 'Dell', '1.5'],
    ['EliteBook 999 G8 graphics card', 'HP', '1.5'],
    ['VivoBook 15 UPS delivery', 'ASUS', '1.7'],
    ['IdeaPad 3 fax modem', 'Lenovo', '1.7'],
  ])
})

test('a known device that only the word for its type tells from its line is not taken without that word', () => {
  assertTypes('laptop', [
    ['Thinkpad X1 Refurbished Carbon14" 256GB', null, '1.1'],
    ['ThinkPad X1', 'Lenovo', '1.1'],
  ])
  assertTypes('tablet', [['ThinkPad X1 Tablet', 'Lenovo', '0.8']])
})

test('types are told in further languages', () => {
  for (const [text, type] of [
    ['Casque audio sans fil', 'headphone'],
    ['Fones de ouvido', 'headphone'],
    ['Telemóvel', 'mobile'],
    ['Celular 128GB', 'mobile'],
    ['Flachbildschirm 19 Zoll', 'monitor'],
    ['Skärm 24', 'monitor'],
    ['Kannettava tietokone', 'laptop'],
    ['PC ultraportable', 'laptop'],
    ['Spielkonsolen', 'gaming_console'],
  ] as const)
    assert.equal(typeOf([text]), type, text)
})

test('what tells the type is named: a word, a line, the equipment or the maker', () => {
  const told = (row: Row) => {
    const { by, words } = readType(productOf(row), null, referenceData.matching)
    return [by, words]
  }
  assert.deepEqual(told(['Schullaptop 15']), ['word', 'schullaptop'])
  assert.deepEqual(told(['Téléphone portable']), ['word', 'telephone portable'])
  assert.deepEqual(told(['Écran 24']), ['word', 'ecran'])
  assert.deepEqual(told(['W65', 'Notebook']), ['word', 'notebook'])
  assert.deepEqual(told(['Dell Vostro 3510']), ['line', 'vostro'])
  assert.deepEqual(told(['OptiPlex 7010', 'Dell']), ['line', 'optiplex'])
  assert.deepEqual(told(['HP 14 Celeron 4GB RAM']), ['equipment', null])
  assert.deepEqual(told(['X90 Pro', 'Vivo', '0.2']), ['maker', 'vivo'])
  assert.deepEqual(told(['thing']), [null, null])
})

type TypedRow = readonly [type: string, ...Row]

function assertEach(rows: readonly TypedRow[]): void {
  const wrong = rows.map(([type, ...row]) => ({ row, type, is: typeOf(row) })).filter(({ type, is }) => is !== type)
  assert.deepEqual(wrong, [])
}

test('the class of a register tells the type beside a maker of such devices, else nothing', () => {
  assertEach([
    ['laptop', 'NB HP 450'],
    ['laptop', 'NB-00123 Dell 7490'],
    ['laptop', 'LT Lenovo E14'],
    ['laptop', 'Toshiba C50 NB'],
    ['monitor', 'MON Dell', null, '5'],
    ['monitor', 'MON 24 Philips', null, '4'],
    ['tablet', 'TAB Samsung', null, '0.5'],
    ['mobile', 'PH Nokia', null, '0.1'],
    ['headphone', 'HS Jabra', null, '0.2'],
    ['unknown', 'NB 450'],
    ['unknown', 'NB Epson'],
    ['unknown', 'LT Logitech'],
    ['unknown', 'MON Jabra'],
  ])
})

test('words of other scripts are read like those of ours, and things in them are no devices', () => {
  assertEach([
    ['laptop', 'Ноутбук Acer'],
    ['laptop', 'ноутбук', 'HP'],
    ['monitor', 'Монитор Филипс 24', null, '4'],
    ['tablet', 'Планшет Huawei', null, '0.5'],
    ['mobile', 'Смартфон Xiaomi', null, '0.2'],
    ['headphone', 'Наушники Sony', null, '0.3'],
    ['laptop', 'Лаптоп Lenovo'],
    ['laptop', '联想 笔记本电脑'],
    ['monitor', 'Οθόνη LG', null, '4'],
    ['tablet', 'Arrows Tab', '富士通', '0.5'],
    ['none', 'Чехол для ноутбука'],
    ['none', 'Мышь Logitech'],
  ])
})

test('a processor for portable computers and memory beside a maker are a laptop; other processors tell nothing', () => {
  assertEach([
    ['laptop', 'HP i5-1135G7 8GB 512GB'],
    ['laptop', 'Dell Core i7-8550U 16GB RAM'],
    ['laptop', 'Lenovo Ryzen 5 5500U 8GB 256GB'],
    ['laptop', 'Acer CI5-10210U 8GB'],
    ['laptop', 'ASUS Intel Core Ultra 7 155H 16GB'],
    ['unknown', 'HP i5-10500 8GB 512GB'],
    ['unknown', 'Dell CI5 8GB 256GB'],
    ['unknown', 'i5-1135G7 8GB 512GB'],
    ['none', 'HP Mini PC i5-1135G7 8GB'],
    ['none', 'Dell All-in-One i7-1165G7 16GB RAM'],
  ])
})

test('a word of a maker behind its line is part of the name; an open pattern takes any further letters', () => {
  assertEach([
    ['laptop', 'Zenbook Prime UX31A', 'ASUS'],
    ['laptop', 'VPCCB35FG', 'Sony'],
    ['laptop', 'VPCEH1AFX', 'Sony'],
    ['laptop', 'SVE1112M1EW', 'Sony'],
    ['laptop', 'NE56R', 'Gateway'],
    ['laptop', 'XENIA 15', 'A-DATA'],
    ['laptop', 'asus q304ua 2-in-1 13.3 touchscreen laptop notebook tablet'],
    ['monitor', 'LS27C330GAUXEN', 'Samsung', '4'],
    ['monitor', 'S2721DGFA', 'Dell', '5'],
    ['none', 'DTK-2200 [Cintiq 22HD] hub', 'Wacom', '0.3'],
  ])
})
