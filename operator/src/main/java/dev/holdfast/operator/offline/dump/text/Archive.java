package dev.holdfast.operator.offline.dump.text;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** An archive of files, which are read one after the other, as streams. Nothing is written to a disk. */
public sealed interface Archive permits TarArchive, ZipArchive {
    /** The number of bytes that {@link #in} looks at. */
    int FIRST_BYTES = TarArchive.BLOCK;

    /**
     * A file of an archive.
     *
     * @param name its path in the archive
     * @param content its bytes, valid until the next file is read; an archive may say any path, size and content
     */
    record Entry(String name, InputStream content) {
        public Entry {
            name = name.replaceFirst("^(\\./)+", "");
        }
    }

    /**
     * {@return the next file; empty at the end of the archive}
     *
     * @throws DamagedArchiveException if the archive is truncated or damaged
     */
    Optional<Entry> next() throws IOException;

    /**
     * {@return the archive that the content is; empty if it is another file} The first bytes decide, not a name.
     *
     * @param content supports {@link InputStream#mark}
     */
    static Optional<Archive> in(InputStream content) throws IOException {
        content.mark(FIRST_BYTES);
        byte[] first = content.readNBytes(FIRST_BYTES);
        content.reset();
        if (TarArchive.isHeader(first)) {
            return Optional.of(new TarArchive(content));
        }
        return first.length > 3 && first[0] == 'P' && first[1] == 'K' && isZip(Arrays.copyOfRange(first, 2, 4))
                ? Optional.of(new ZipArchive(content))
                : Optional.empty();
    }

    /** {@return whether the signature is that of a file, or of the end of a zip archive without files} */
    private static boolean isZip(byte[] signature) {
        return (signature[0] == 3 && signature[1] == 4) || (signature[0] == 5 && signature[1] == 6);
    }
}
