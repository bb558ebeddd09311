//! A picture that carries something small when packed and huge when not.

use std::fs;

use crate::process::Home;

/// What it unpacks to, in bytes.
const HUGE: usize = 512 * 1024 * 1024;
/// What the server may take for it beyond what it takes for the same picture without.
const GROWTH_MAX_KIB: u64 = 200 * 1024;

#[tokio::test]
async fn a_huge_colour_profile_takes_no_memory() {
    let home = Home::new();
    let server = home.start("serve").await;
    let upload = |bytes: Vec<u8>| {
        server.console("POST", "/pictures").header("content-type", "image/png").body(bytes).expect(201)
    };
    upload(png(&[])).await;
    let before = peak_kib(server.id());
    for kind in [b"iCCP", b"zTXt"] {
        let body = [&b"x\0\0"[..], &zeroes(HUGE)].concat();
        upload(png(&chunk(kind, &body))).await;
    }
    let after = peak_kib(server.id());
    assert!(after - before < GROWTH_MAX_KIB, "from {before} to {after} KiB");
}

/// The most memory that a process ever had.
fn peak_kib(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().trim().parse().unwrap()
}

/// Two grey pixels, with something between its head and them.
fn png(between: &[u8]) -> Vec<u8> {
    let head = chunk(b"IHDR", &[0, 0, 0, 2, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
    // Stored as it is: the filter, and two pixels.
    let pixels = chunk(b"IDAT", &[0x78, 0x01, 1, 3, 0, 0xfc, 0xff, 0, 7, 9, 0, 0x1a, 0, 0x11]);
    [&b"\x89PNG\r\n\x1a\n"[..], &head, between, &pixels, &chunk(b"IEND", &[])].concat()
}

fn chunk(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let marked = [&kind[..], body].concat();
    let length = u32::try_from(body.len()).unwrap().to_be_bytes();
    [&length[..], &marked, &crc(&marked).to_be_bytes()].concat()
}

/// As PNG has it.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
    let table: Vec<u32> = (0..256).map(|byte| (0..8).fold(byte, |crc, _| step(crc))).collect();
    !bytes.iter().fold(u32::MAX, |crc, byte| table[((crc ^ u32::from(*byte)) & 255) as usize] ^ (crc >> 8))
}

/// So many zeroes as zlib packs them: one, and then "258 of the byte before", thirteen bits each.
fn zeroes(count: usize) -> Vec<u8> {
    let mut bits = Bits { bytes: vec![0x78, 0x01], left: 0 };
    let times = count / 258;
    bits.put(0b1, 1); // The last block,
    bits.put(0b01, 2); // with the codes that are known to everybody.
    bits.put_code(0b0011_0000, 8); // A zero.
    for _ in 0..times {
        bits.put_code(0b1100_0101, 8); // 258 bytes
        bits.put_code(0, 5); // from one byte back.
    }
    bits.put_code(0, 7); // The end.
    let length = (times * 258 + 1) % 65_521;
    let check = (u32::try_from(length).unwrap() << 16) | 1;
    [bits.bytes, check.to_be_bytes().to_vec()].concat()
}

struct Bits {
    bytes: Vec<u8>,
    /// Bits of the last byte that are free.
    left: u32,
}

impl Bits {
    /// The lowest bit first.
    fn put(&mut self, bits: u32, count: u32) {
        for at in 0..count {
            if self.left == 0 {
                self.bytes.push(0);
                self.left = 8;
            }
            if bits >> at & 1 == 1 {
                *self.bytes.last_mut().unwrap() |= 1 << (8 - self.left);
            }
            self.left -= 1;
        }
    }

    /// A code has its highest bit first.
    fn put_code(&mut self, code: u32, count: u32) {
        self.put(code.reverse_bits() >> (32 - count), count);
    }
}
