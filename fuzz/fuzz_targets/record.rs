//! Any text as a record: what is read and written again is the same record.
#![no_main]

use factgate_record::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(record) = Record::parse(data, "1") else { return };
    let text = record.to_text().expect("a record can be written");
    let again = Record::parse(text.as_bytes(), "1").expect("a written record can be read");
    assert_eq!(again, record);
});
