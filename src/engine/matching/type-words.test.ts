// Words for types in many languages, and things that are named like a device and are none.
import { test } from 'node:test'
import { assertTypes } from '../../../test/assert-types.ts'

test('words for a type are read in many languages, with letters that have no accent, and without blanks', () => {
  assertTypes('headphone', [
    ['Słuchawki bezprzewodowe douszne', null, '0.3'],
    ['Sluchátka k mobilu', null, '0.3'],
    ['Hodetelefoner trådløse', null, '0.3'],
    ['Fone de ouvido', null, '0.3'],
    ['无线蓝牙耳机 X9', null, '0.3'],
    ['ワイヤレスイヤホン', 'Sony', '0.3'],
    ['이어폰', 'Samsung', '0.3'],
  ])
  assertTypes('laptop', [
    ['Dizüstü bilgisayar', 'Casper', '1.8'],
    ['ノートPC 15', 'NEC', '1.8'],
    ['联想笔记本电脑', null, '1.8'],
    ['华硕天选7 Pro 酷睿版 16英寸游戏本', null, '2.2'],
  ])
  assertTypes('mobile', [
    ['Điện thoại', 'Xiaomi', '0.2'],
    ['スマートフォン', 'Sharp', '0.2'],
  ])
  assertTypes('tablet', [
    ['Surfplatta 10', 'Medion', '0.5'],
    ['태블릿', 'LG', '0.5'],
  ])
  assertTypes('none', [
    ['手机壳 iPhone 13', null, '0.1'],
    ['ノートパソコンケース', null, '0.3'],
  ])
})

test('a headset is headphones, unless it is one for the eyes or for another device', () => {
  assertTypes('headphone', [
    ['G733 Gaming Headset', 'Logitech', '0.3'],
    ['Bluetooth Neckband Headset Wireless Earphone', null, '0.2'],
    ['Wireless Headphones Bluetooth 4.1 Headset Over Ear', null, '0.3'],
  ])
  assertTypes('none', [
    ['VR Headset', 'Meta', '0.5'],
    ['iPhone 13 headset', 'Apple', '0.1'],
  ])
})

test('a spare part behind a name is the thing, whatever its own code; a game for two consoles is none', () => {
  assertTypes('none', [
    ['Apple MacBook Air 13" Battery A1496', 'Apple', '0.3'],
    ['Lenovo ThinkPad Battery 61+ (Rear External)', 'Lenovo', '0.3'],
    ['Dell Latitude E5510 Touchpad', null, '0.1'],
    ['SAND LAND PS4 & PS5', null, '0.1'],
  ])
  assertTypes('laptop', [
    ['Apple MacBook Air 13" 256GB Battery 90%', 'Apple', '1.3'],
    ['Lenovo ThinkPad T480 i5 new battery', 'Lenovo', '1.6'],
  ])
  assertTypes('gaming_console', [['PlayStation 5 (PS5) Console', 'Sony', '3.2']])
})

test('a brand field that names no maker leaves the maker to the text', () => {
  assertTypes('tablet', [
    ['Apple iPad Mini 2', 'unspecified', '0.3'],
    ['10.2 (2021) Wi-Fi 64GB', 'Apple', '0.5'],
  ])
  assertTypes('laptop', [['Lenovo ThinkPad', 'To Be Filled By O.E.M.', '1.6']])
})

test('a brand field that names a line is read with the text', () => {
  assertTypes('mobile', [['14 Pro', 'iPhone', '0.2']])
  assertTypes('laptop', [['m15', 'Alienware', '2']])
  assertTypes('none', [['X51', 'Alienware', '5']])
})

test('codes of Acer laptops are told without the maker', () => {
  assertTypes('laptop', [
    ['Nitro AN515-58', null, '2.2'],
    ['Swift SF314-511', null, '1.3'],
    ['Predator PHN16-71', 'Acer', '2.6'],
  ])
})

test('a phone with the screen of a tablet is one, with or without a unit, and a version is no size', () => {
  assertTypes('tablet', [
    ['10 10.1 (2022) WiFi 4GB 64 GB', 'TCL', '0.5'],
    ['10.4 (2022) WiFi 3GB 32GB', 'Realme', '0.5'],
    ['Air 10.36 2023 Wi-Fi', 'Oppo', '0.5'],
  ])
  assertTypes('mobile', [
    ['iPhone 13 iOS 16.5', 'Apple', '0.2'],
    ['Galaxy S21 Android 13.1', 'Samsung', '0.2'],
  ])
})
