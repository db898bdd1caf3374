package dev.holdfast.operator.offline.dump.text;

import java.io.IOException;
import java.io.Serial;

/** An archive that cannot be read to its end. The message is a sentence about it. */
public final class DamagedArchiveException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    DamagedArchiveException(String message) {
        super(message);
    }

    DamagedArchiveException(String message, Throwable cause) {
        super(message, cause);
    }
}
