// Messages about files of orders: their cells and rows, the file itself, and how it is read.
import { defineMessages } from '../engine/message.ts'

/** How values that a message names are shortened: enough to recognise them. */
const VALUE_LENGTH_MAX = 60

/** Messages of libraries may quote a file, in which names can be megabytes long. */
const CAUSE_LENGTH_MAX = 400

/** A value for a message: shortened, with visible signs for control characters. */
export const shownValue = (text: string): string => shown(text, VALUE_LENGTH_MAX)

/** The message of a library, for use in a message. */
export const shownCause = (text: string): string => shown(text, CAUSE_LENGTH_MAX)

function shown(text: string, lengthMax: number): string {
  const short = text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}…`
  return CONTROLS.test(short) ? short.replace(EACH_CONTROL, pictureOf) : short
}

const CONTROLS = /\p{Cc}/u
const EACH_CONTROL = /\p{Cc}/gu
/** Unicode has a picture for each ASCII control character. */
const pictureOf = (control: string): string => {
  const code = control.charCodeAt(0)
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd'
}

/** Errors of cells, rows and lines. */
export const CELL_MESSAGES = defineMessages({
  cell_too_many_digits: '"{text}" has more digits than are stored exactly; write at most {max} of them',
  cell_shortened_number:
    '"{text}" is a number that a spreadsheet has shortened; write all its digits, in a column with the format text',
  cell_ambiguous_number:
    '"{text}" is ambiguous in a file with a decimal {decimal}: it may mean {integer} or {fraction}',
  cell_not_a_number: '"{text}" is not a number written with a decimal {decimal}, without unit and thousands separators',
  cell_not_a_day: '"{text}" is not a day written as {format}',
  cell_no_such_day: 'There is no day "{text}" in the format {format}',
  cell_has_error: 'The cell contains the error {error}',
  cell_has_nul: 'The cell contains a NUL byte',
  cell_undecodable:
    'Some bytes of the cell are not {encoding}; type the cell again, or specify the encoding of the whole file',
  quote_unclosed: [
    'A double quote opens a cell here and is never closed; put the cell in double quotes, and write each double ',
    'quote inside it twice',
  ],
  quote_in_unquoted_cell: [
    'A cell that does not begin and end with double quotes contains one; put the cell in double quotes, and write ',
    'each double quote inside it twice',
  ],
  row_too_long: 'The row is longer than {max} characters',
  row_cell_count: [
    'The row has {cells} cells, but the header has {width}; put every cell that contains the delimiter in double ',
    'quotes, and write a delimiter for every empty cell',
  ],
  row_order_unknown: 'Is empty, so the order of this row is unknown',
  row_differs: 'Is "{value}" in row {row} of the same order; all rows of an order need the same value',
  row_fills_empty: 'Is empty in row {row} of the same order; all rows of an order need the same value',
  row_repeats_item: [
    'Another row of the order has this transportation or packaging already; leave these cells empty if it is the ',
    'same one, or give each row the weight of its own',
  ],
  order_too_many_rows: [
    'The order has {rows} rows or more, or too many characters; an order has at most 1000 items, so split it ',
    'into several orders',
  ],
  line_undecodable: 'Some bytes of the line are not {encoding}',
  line_not_an_object: 'The line is not a JSON object',
  line_member_not_flat: 'Must be a text or a number, because a line is one item with flat members',
  line_member_repeated: '"{member}" gives this value a second time',
  line_member_unknown: 'There is no member "{member}"',
})

/** Why a file cannot be read at all. */
export const FILE_MESSAGES = defineMessages({
  file_empty: 'The file is empty',
  file_blank: 'The file contains nothing but white space',
  file_is_xls: 'The file is an old Excel file (.xls) or has a password; save it as .xlsx without one',
  file_is_json_array: 'The file is one JSON array; write each order on a line of its own',
  file_type_unsupported: 'The file is of the type {type}; orders are accepted as CSV, XLSX or JSON lines',
  file_not_text: 'The file is not text; orders are accepted as CSV, XLSX or JSON lines',
  file_line_end_is_cr: 'The first line ends with CR alone; save the file with LF or CRLF at the end of each line',
  json_lines_unreadable: 'None of the first {lines} lines is a JSON object that is short and flat enough to be read',
  json_lines_too_many_cells: 'The lines have more than {max} cells, lines times names; split the file',
  zip_not_xlsx: 'The file is a ZIP file, but no XLSX workbook',
  zip_too_many_parts: 'The XLSX file has more than {max} parts',
  zip_part_missing: 'The XLSX file lacks its part "{part}"',
  zip_directory_too_large: 'The names and comments of its parts take more than {max} bytes of the XLSX file',
  zip_unpacked_too_large: [
    'The parts of the XLSX file unpack to more than {max} bytes, the maximum for a file of {bytes} bytes; save the ',
    'sheet as CSV',
  ],
  zip_part_too_large:
    'The part "{part}" of the XLSX file unpacks from {packed} to {unpacked} bytes; no more than {max} of them are read',
  xlsx_damaged: 'The XLSX file is damaged: {cause}',
  xlsx_row_out_of_order: 'The XLSX file is damaged: a row with the number "{row}" follows row {last}',
  xml_document_type: 'The XLSX file has a document type, which no spreadsheet writes',
  xml_too_many_attributes: [
    'The XML of the XLSX file has more than {max} attributes in one element, which no spreadsheet writes; save it ',
    'again',
  ],
  xml_too_deep: [
    'The XML of the XLSX file has more than {max} elements within each other, which no spreadsheet writes; save it ',
    'again',
  ],
  xml_token_too_long: [
    'The XML of the XLSX file has more than {max} characters in or between two tags, which no spreadsheet writes; ',
    'save it again',
  ],
  workbook_empty: 'No sheet of the workbook has content',
  workbook_text_too_long: 'A text of the workbook has more than {max} characters',
  workbook_texts_too_large: 'The texts of the workbook take more than {max} bytes; save the sheet as CSV',
  workbook_too_many_texts: 'The workbook lists more than {max} different texts; save the sheet as CSV',
  workbook_too_many_sheets: 'The workbook has more than {max} sheets; save the sheet as CSV',
  workbook_too_many_relations: 'The workbook has more than {max} relations; save the sheet as CSV',
  workbook_too_many_number_formats: 'The workbook has more than {max} number formats; save the sheet as CSV',
  workbook_too_many_cell_formats: 'The workbook has more than {max} cell formats; save the sheet as CSV',
  workbook_sheet_name_too_long: 'The name of a sheet in the workbook has {length} characters, and may have {max}',
  workbook_relation_name_too_long: 'The name of a relation in the workbook has {length} characters, and may have {max}',
  workbook_relation_target_too_long:
    'The target of a relation in the workbook has {length} characters, and may have {max}',
  workbook_starts_too_late: [
    'No sheet of the workbook has a row in the first {max} bytes of its XML; delete everything above the table, and ',
    'sheets without a table',
  ],
  sheet_row_too_long:
    'Row {row} has more than {max} characters; delete what does not belong to orders, or split the file',
  sheet_cell_too_long: 'A cell of row {row} has more than {max} characters; shorten it',
  sheet_too_many_cells:
    'The sheet has more than {max} cells, rows times columns; delete what does not belong to orders, or split the file',
  sheet_too_many_characters:
    'The sheet has more than {max} characters in its cells; delete what does not belong to orders, or split the file',
})

/** Why the settings of a file cannot be detected or are rejected, and what is wrong with its columns. */
export const SETTING_MESSAGES = defineMessages({
  setting_unknown: 'There is no setting "{setting}"',
  setting_not_one_of: 'Must be one of {choices}; it is "{value}"',
  setting_contradicted: 'The file is not {asked}: {because}',
  encoding_contradicted:
    'The file is not {asked}: {because}; in line {line}, {one} reads "{first}" where {other} reads "{second}"',
  encoding_unknown:
    'The file is not UTF-8: in line {line}, {one} reads "{first}" where {other} reads "{second}"; specify the encoding',
  delimiter_contradicted: 'The delimiter of the cells is {found}, not {asked}: {because}',
  decimal_contradicted: 'The file has a decimal {found}, not a {asked}: {because}',
  decimal_mixed:
    'Numbers are written with a point and with a comma, like "{point}" and "{comma}"; specify the decimal separator',
  decimal_ambiguous: [
    '"{text}" may have decimals or a thousands separator, and no cell shows which; specify whether the decimal ',
    'separator is the point or the comma',
  ],
  dates_short_years: [
    '"{text}" has a year of two digits; specify the date format, in which 90 to 99 are the years 1990 to 1999, and ',
    'the others 2000 to 2089',
  ],
  dates_contradicted: 'Days are not written as {asked}, but as {found}: {because}',
  dates_ambiguous:
    '"{text}" may be {one} or {other}, and no day is later than the 12th of its month; specify the date format',
  dates_mixed: 'Days are written as {one} and as {other}, like "{first}" and "{second}"; specify the date format',
  json_decimal_point: 'Numbers in JSON have a decimal point',
  json_days: 'Orders in JSON are written as POST /api/customer-orders accepts them, with days as YYYY-MM-DD',
  sheet_ambiguous: 'The workbook has {sheets} sheets with content; specify which one to read',
  sheet_not_found: 'The workbook has no sheet "{sheet}" with content',
  header_empty: 'The first row is empty; it has to name the columns',
  header_row_empty: 'The file has no row with content from row {row} on',
  constant_of_column: 'The file already has the column "{column}"; ignore its column, or leave out the constant',
  constant_unknown: 'There is no column "{column}" in the layout {layout} that can have a constant',
  constant_not_a_number: '"{text}" is not a number with a decimal point',
  constant_not_a_day: '"{text}" is not a day written as YYYY-MM-DD',
  header_too_wide: 'The file has more than {max} columns, the maximum of a sheet',
  header_too_long:
    'The header of column {column}, "{header}", has {length} characters; a header has at most {max} characters',
  columns_of_json_orders: 'Orders in JSON have no columns; their members are those of POST /api/customer-orders',
  columns_with_same_meaning: 'The columns "{first}" and "{second}" both mean {column}; ignore one of them',
  column_without_header: 'A column has no header; give it one, or ignore it with columns: {ignore}',
  column_not_in_file: 'The file has no column "{column}"',
  column_not_in_file_likely:
    'The file has no column "{column}"; if it is "{likely}", specify that with columns: {setting}',
  column_not_in_layout: 'There is no column "{column}" in the layout {layout}',
  column_unknown: [
    'There is no column "{column}" in the layout {layout}; keep it as metadata with columns: {metadata}, or ignore ',
    'it with columns: {ignore}',
  ],
  column_unknown_likely: [
    'There is no column "{column}" in the layout {layout}; specify what it is with columns: {setting}, keep it as ',
    'metadata with columns: {metadata}, or ignore it with columns: {ignore}',
  ],
  column_unknown_of_events: 'There is no column "{column}" in a file of events; ignore it with columns: {ignore}',
  column_unknown_of_events_likely: [
    'There is no column "{column}" in a file of events; specify what it is with columns: {setting}, or ignore it with ',
    'columns: {ignore}',
  ],
  column_of_end_dates: [
    'There is no column "{column}" in the layout {layout}; an order states for how many months a device is rented ',
    '(tenure_months), and not until when; if it is the day on which the device was returned, specify that with ',
    'columns: {setting}; otherwise keep it as metadata with columns: {metadata}, or ignore it with columns: {ignore}',
  ],
  register_offered: [
    'The file holds no orders: it has no column {lacking}. If it is a list of devices, one order per customer is made ',
    'of it from what you state for all of them, with register: {setting}; a column of the file has precedence',
  ],
  register_lacks: [
    'A register needs {column} for its devices: state it for all of them with register: {setting}, or specify the ',
    'column that has it',
  ],
  register_lacks_serial: [
    'The file has no column "serial_number": specify a column whose value each device has alone, such as an asset ',
    'tag, or add a column with numbers of your own',
  ],
  register_lacks_product: 'A register needs a column that says what the devices are, usually product_name',
  register_not_an_object: 'Must be a JSON object with some of {names}',
  register_member_unknown: 'There is no "{name}"; what can be stated for all devices of a register is {names}',
  register_not_a_text: 'Must be a text of 1 to {max} characters without control characters',
  register_not_a_day: 'Must be a calendar day, like 2025-01-31',
  register_not_months: 'Must be a whole number of months from 0 to {max}',
  register_not_a_weight: 'Must be a number of kilograms above 0 and up to {max}',
  register_not_a_country: 'Must be a country as two capital letters, like DE (ISO 3166-1 alpha-2)',
  values_not_tables:
    'Must be a JSON object of tables by column, like {example}, with "-" for rows that are to be left out',
  values_not_a_table: 'Must be a JSON object that has a value for each text of the column',
  value_not_a_text: 'Must be a text of up to {max} characters for a text of up to {max} characters',
  values_too_many: 'Has {count} texts; there may be {max} in all tables together',
  values_of_no_column: 'No column of the file is {column}; its columns are {columns}',
  column_of_quantities: [
    'There is no column "{column}" in the layout {layout}; each device is an item of its own, with its serial ',
    'number, and an order has no quantities; keep it as metadata with columns: {metadata}, or ignore it with ',
    'columns: {ignore}',
  ],
})

/** The evidence for a detected setting: each continues a sentence. */
export const EVIDENCE_MESSAGES = defineMessages({
  as_requested: 'as requested',
  format_unlike_file_name: '{because}, although its name ends with .{ending}',
  starts_like_zip: 'it begins like a ZIP file, which XLSX is',
  starts_with_brace: 'it begins with "{"',
  starts_like_text: 'it is text and does not begin with "{"',
  byte_order_mark: 'it begins with the byte order mark of {encoding}',
  no_byte_order_mark: 'it has no byte order mark, and its first bytes do not match that encoding',
  first_byte_zero: 'its first byte is zero and its second is not',
  second_byte_zero: 'its second byte is zero and its first is not',
  start_is_ascii: 'the first million bytes are plain ASCII, which every encoding but UTF-16 shares',
  start_is_utf8: 'the first million bytes are valid UTF-8',
  delimiter_splits_header: 'it splits the first row into {cells} cells, {known} of which are known columns',
  cells_written_so: 'as written in {cells} of the cells in the first rows, like "{example}"',
  no_decimal_separator: 'no number in the first rows has a decimal separator',
  no_other_days: 'no cell in the first rows is a day in another format',
  no_other_sheet: 'no other sheet of the workbook has content',
  header_below_titles: 'the rows above it are empty or name no columns',
  separator_line: 'the first line states it: {line}',
  no_type_member: 'the first line has no member "type"',
  no_type_column: 'no column states the type of an item',
  type_column: 'the column "{column}" states the type of the item in a row',
  column_implied: 'the file has no such column, and {column} implies its value',
})
