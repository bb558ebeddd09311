//! The certificate and its key: readable, and made for each other.

use std::path::Path;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;

use super::check::Check;

pub fn check(cert_file: &Path, key_file: &Path) -> Check {
    let name = "TLS files";
    match examine(cert_file, key_file) {
        Ok(certificates) => {
            Check::ok(name, format!("they match; {certificates} certificate(s) in the chain"))
        }
        Err(reason) => {
            let advice =
                "both are PEM: tls.cert_file the chain, own certificate first; tls.key_file its private key";
            Check::fail(name, reason, advice)
        }
    }
}

fn examine(cert_file: &Path, key_file: &Path) -> Result<usize, String> {
    let chain: Vec<_> = CertificateDer::pem_file_iter(cert_file)
        .and_then(Iterator::collect)
        .map_err(|error| format!("{}: {error}", cert_file.display()))?;
    if chain.is_empty() {
        return Err(format!("{} has no certificate", cert_file.display()));
    }
    let key =
        PrivateKeyDer::from_pem_file(key_file).map_err(|error| format!("{}: {error}", key_file.display()))?;
    let certificates = chain.len();
    CertifiedKey::from_der(chain, key, &rustls::crypto::ring::default_provider())
        .map_err(|error| format!("they do not match: {error}"))?;
    Ok(certificates)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_not_a_pair_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("empty.pem"), "").unwrap();
        fs::write(path("broken.pem"), "-----BEGIN CERTIFICATE-----\nnonsense\n").unwrap();
        let rows = [
            ("missing.pem", "empty.pem", "missing.pem: "),
            ("empty.pem", "empty.pem", "has no certificate"),
            ("broken.pem", "empty.pem", "broken.pem: "),
        ];
        for (cert_file, key_file, reason) in rows {
            let found = examine(&path(cert_file), &path(key_file)).unwrap_err();
            assert!(found.contains(reason), "{cert_file}: {found}");
        }
    }
}
