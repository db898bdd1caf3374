package dev.holdfast.operator.serve;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Map;
import java.util.Optional;

/** Reader of a file with a private key in PEM: PKCS#8, PKCS#1 (RSA) or SEC1 (EC). */
final class PrivateKeyFile {
    private static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final String USE_PKCS8 = "write it as PKCS#8 (cert-manager: privateKey.encoding: PKCS8)";
    private static final String USE_THE_PAIR = "take both files from the same Secret";
    private static final byte[] PROBE = "holdfast".getBytes(StandardCharsets.US_ASCII);

    /** For each algorithm of keys that TLS can use, the algorithm of a signature with such a key. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private PrivateKeyFile() {}

    /**
     * {@return the private key that belongs to a public key}
     *
     * @throws CertificateFileException also if the file has the key of another public key
     */
    static PrivateKey read(Path file, PublicKey publicKey) throws CertificateFileException {
        String algorithm = publicKey.getAlgorithm();
        Optional<String> signature = Optional.ofNullable(SIGNATURES.get(algorithm));
        if (signature.isEmpty()) {
            throw new CertificateFileException(
                    file,
                    "is for a certificate of a kind that TLS does not serve: " + algorithm,
                    "renew the certificate with an RSA, EC or Ed25519 key");
        }
        PemBlock block = block(file);
        PrivateKey key = key(file, pkcs8(file, block, publicKey), algorithm);
        if (!belong(key, publicKey, signature.get())) {
            throw new CertificateFileException(
                    file, "does not belong to the first certificate in tls.crt", USE_THE_PAIR);
        }
        return key;
    }

    private static PemBlock block(Path file) throws CertificateFileException {
        // Before an EC key, openssl writes a block with its curve.
        PemBlock block = PemBlock.read(file).stream()
                .filter(it -> it.label().endsWith(PRIVATE_KEY))
                .findFirst()
                .orElseThrow(() -> new CertificateFileException(file, "has no private key", USE_THE_PAIR));
        if (block.isEncrypted()) {
            throw new CertificateFileException(file, "is encrypted", "write the key without a passphrase");
        }
        return block;
    }

    private static byte[] pkcs8(Path file, PemBlock block, PublicKey publicKey) throws CertificateFileException {
        byte[] bytes = bytes(file, block);
        String label = block.label();
        if (label.equals(PRIVATE_KEY)) {
            return bytes;
        }
        if (!label.equals("RSA PRIVATE KEY") && !label.equals("EC PRIVATE KEY")) {
            throw new CertificateFileException(file, "has the encoding " + label, USE_PKCS8);
        }
        if (!label.startsWith(publicKey.getAlgorithm() + " ")) {
            throw mismatch(file, publicKey.getAlgorithm());
        }
        return Pkcs8.wrap(bytes, publicKey);
    }

    private static byte[] bytes(Path file, PemBlock block) throws CertificateFileException {
        try {
            return block.bytes();
        } catch (IllegalArgumentException _) {
            throw new CertificateFileException(file, "is not base64 between its first and last line", USE_THE_PAIR);
        }
    }

    private static PrivateKey key(Path file, byte[] pkcs8, String algorithm) throws CertificateFileException {
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (GeneralSecurityException _) {
            throw mismatch(file, algorithm);
        }
    }

    private static CertificateFileException mismatch(Path file, String algorithm) {
        return new CertificateFileException(
                file,
                "has no valid key of the kind that the first certificate in tls.crt has: " + algorithm,
                USE_THE_PAIR);
    }

    /** {@return whether the public key verifies what the private key signs} */
    private static boolean belong(PrivateKey key, PublicKey publicKey, String algorithm) {
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException _) {
            // Keys of different kinds or sizes.
            return false;
        }
    }
}
