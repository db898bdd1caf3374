package dev.holdfast.operator.cli.options;

import dev.holdfast.operator.offline.dump.DumpException;
import java.util.List;

/** Reads objects of files, any of which may be wrong. */
@FunctionalInterface
public interface Reading<T> {
    /** {@return what the files have} */
    T read() throws DumpException;

    /** {@return what is read; a message about an object names the option and the files that may have it} */
    static <T> T of(String option, List<String> files, Reading<T> reading) throws DumpException {
        try {
            return reading.read();
        } catch (DumpException e) {
            throw new DumpException(option + " " + String.join(" ", files) + ": " + e.getMessage(), e);
        }
    }
}
