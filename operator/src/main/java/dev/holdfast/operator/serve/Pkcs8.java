package dev.holdfast.operator.serve;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.PublicKey;

/**
 * The PKCS#8 encoding of private keys (RFC 5208), the only one that the JDK reads. The encoding has the key in an older
 * encoding, PKCS#1 or SEC1, behind the identifier of the key's algorithm.
 */
final class Pkcs8 {
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final byte[] VERSION = {2, 1, 0};
    private static final int LONG_FORM = 0x80;
    private static final int BYTE = 0xff;

    private Pkcs8() {}

    /**
     * {@return the PKCS#8 encoding of a key}
     *
     * @param key the key, encoded as PKCS#1 (RSA) or SEC1 (EC)
     * @param publicKey the public key that it belongs to, which has the same algorithm identifier
     */
    static byte[] wrap(byte[] key, PublicKey publicKey) {
        return element(SEQUENCE, VERSION, algorithm(publicKey), element(OCTET_STRING, key));
    }

    /** {@return the algorithm identifier in an encoded public key: the first element of the sequence} */
    private static byte[] algorithm(PublicKey publicKey) {
        ByteBuffer der = ByteBuffer.wrap(publicKey.getEncoded()).position(1);
        int length = der.get() & BYTE;
        if (length >= LONG_FORM) {
            der.position(der.position() + length - LONG_FORM);
        }
        // The identifier of an RSA or EC key is shorter than 128 bytes, so its length is one byte.
        byte[] algorithm = new byte[2 + der.get(der.position() + 1)];
        der.get(algorithm);
        return algorithm;
    }

    private static byte[] element(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        if (length < LONG_FORM) {
            element.write(length);
        } else {
            element.write(LONG_FORM | 2);
            element.write(length >> Byte.SIZE);
            element.write(length);
        }
        for (byte[] part : parts) {
            element.writeBytes(part);
        }
        return element.toByteArray();
    }
}
