package dev.holdfast.operator.serve;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One block of a PEM file (RFC 7468).
 *
 * @param label the type of the block: {@code CERTIFICATE}, {@code RSA PRIVATE KEY}
 * @param text the lines between its first and its last line
 */
record PemBlock(String label, String text) {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    private static final Pattern BEGIN = Pattern.compile("-----BEGIN ");
    private static final String ADVICE = "the folder must have the files of a Secret of type kubernetes.io/tls";

    /** {@return the blocks of a file in their order, at least one; other text in it is ignored} */
    static List<PemBlock> read(Path file) throws CertificateFileException {
        String pem = text(file);
        if (pem.isBlank()) {
            throw new CertificateFileException(file, "is empty", ADVICE);
        }
        List<PemBlock> blocks = BLOCK.matcher(pem)
                .results()
                .map(it -> new PemBlock(it.group(1), it.group(2)))
                .toList();
        long begun = BEGIN.matcher(pem).results().count();
        if (begun == 0) {
            throw new CertificateFileException(file, "has no PEM block", "write it as PEM, not as DER or PKCS#12");
        }
        if (blocks.size() < begun) {
            throw new CertificateFileException(file, "has a PEM block without an end", "write the whole block");
        }
        return blocks;
    }

    private static String text(Path file) throws CertificateFileException {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException _) {
            throw new CertificateFileException(file, "does not exist", ADVICE);
        } catch (AccessDeniedException _) {
            throw new CertificateFileException(file, "may not be read", "let the operator's user read it");
        } catch (IOException e) {
            throw new CertificateFileException(file, "cannot be read: " + e.getMessage(), ADVICE);
        }
    }

    /** {@return whether a passphrase is needed to read the block} */
    boolean isEncrypted() {
        return label.startsWith("ENCRYPTED ") || text.contains("Proc-Type: 4,ENCRYPTED");
    }

    /**
     * {@return the bytes of the block}
     *
     * @throws IllegalArgumentException if the text is not base64
     */
    byte[] bytes() {
        return Base64.getDecoder().decode(text.replaceAll("\\s", ""));
    }
}
