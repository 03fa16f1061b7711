//! Checksums of what a run writes: CRC-32 (IEEE 802.3), as eight hexadecimal digits. They notice
//! accidents, not forgery.

/// The checksum of bytes.
pub fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// The last key of a JSON object, with the checksum of everything before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seal {
    before: &'static str,
    behind: &'static str,
}

impl Seal {
    /// In a line of the journal.
    pub(super) const LINE: Self = Self { before: r#","crc":""#, behind: r#""}"# };
    /// In a file of several lines.
    pub(super) const FILE: Self = Self { before: ",\n  \"crc\": \"", behind: "\"\n}\n" };

    /// The key, for an object whose text so far is `body`. `owner` is what it belongs to.
    pub(super) fn of(self, owner: &str, body: &str) -> String {
        let checksum = checksum(format!("{owner}{body}").as_bytes());
        format!("{}{checksum}{}", self.before, self.behind)
    }

    /// The text before the key, if the checksum is right.
    pub(super) fn open<'t>(self, owner: &str, text: &'t str) -> Option<&'t str> {
        let (body, _) = text.rsplit_once(self.before)?;
        (text.get(body.len()..)? == self.of(owner, body)).then_some(body)
    }
}
