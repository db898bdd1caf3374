package dev.holdfast.operator.serve;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown if a file with a certificate or its key cannot be used. The message is one line: file, cause and advice. */
final class CertificateFileException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param cause what is wrong with the file, as in {@code is empty}
     * @param advice what the user can do, as in {@code renew the certificate}
     */
    CertificateFileException(Path file, String cause, String advice) {
        super(file + " " + cause + "; " + advice);
    }
}
