-- Devices whose serial number differs from another in case or white space alone. Those in capitals or small letters
-- alone are found by their key, so only the others are in here: most accounts have none, and posting a device costs no
-- more than the test of its serial number (0.4 µs).
create index devices_by_similar_serial on entries (
  account_id, lower(regexp_replace(serial_number, '[\s\u00a0\u2007\u202f\u3000]+', '', 'g'))
) where entry_no = 1 and order_key = ''
  and serial_number ~ '[\s\u00a0\u2007\u202f\u3000]|[a-z].*[A-Z]|[A-Z].*[a-z]';
