package dev.holdfast.operator.offline.dump.text;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Locale;

/**
 * Refuses a text with very many characters between two spaces or line breaks. The YAML parser copies all of such a run
 * again for each thousand characters of it, so 100 MB would take hours.
 */
final class BoundedRuns extends FilterReader {
    /** An object of Kubernetes has at most 1.5 MiB. */
    static final int MOST_CHARACTERS = 2_000_000;

    private int line = 1;
    private int run;

    /** A run that is too long. The message says so. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1;

        private final int line;

        private TooLongException(int line) {
            super(String.format(
                    Locale.ROOT,
                    "more than %,d characters without a space: no object of Kubernetes is as large",
                    MOST_CHARACTERS));
            this.line = line;
        }

        /** {@return the number of the line, counted from 1} */
        int line() {
            return line;
        }
    }

    BoundedRuns(Reader text) {
        super(text);
    }

    @Override
    public int read() throws IOException {
        char[] one = new char[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(char[] buffer, int start, int length) throws IOException {
        int read = super.read(buffer, start, length);
        for (int i = start; i < start + read; i++) {
            count(buffer[i]);
        }
        return read;
    }

    private void count(char next) throws TooLongException {
        line += next == '\n' ? 1 : 0;
        run = next == '\n' || next == ' ' ? 0 : run + 1;
        if (run > MOST_CHARACTERS) {
            throw new TooLongException(line);
        }
    }
}
