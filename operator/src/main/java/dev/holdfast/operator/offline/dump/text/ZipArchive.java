package dev.holdfast.operator.offline.dump.text;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/** A zip archive. Its list of files is at its end, so the files are found by the headers before them. */
final class ZipArchive implements Archive {
    /** The last part of an archive, as ISO-8859-1. */
    private static final String END = "PK\u0005\u0006";

    private final RecentBytes archive;
    private final ZipInputStream files;

    ZipArchive(InputStream archive) {
        this.archive = new RecentBytes(archive);
        this.files = new ZipInputStream(this.archive);
    }

    @Override
    public Optional<Entry> next() throws IOException {
        ZipEntry entry = explained(files::getNextEntry);
        while (entry != null && entry.isDirectory()) {
            entry = explained(files::getNextEntry);
        }
        if (entry == null) {
            requireEnd();
            return Optional.empty();
        }
        return Optional.of(new Entry(entry.getName(), new Content(files)));
    }

    /** Requires the end of the archive: if the archive ended between two files, files are missing. */
    private void requireEnd() throws IOException {
        archive.transferTo(OutputStream.nullOutputStream());
        if (!archive.recent(StandardCharsets.ISO_8859_1).contains(END)) {
            throw new DamagedArchiveException("the archive ends too early: it is truncated");
        }
    }

    /** Reads a part of the archive. */
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T explained(Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (EOFException e) {
            throw new DamagedArchiveException("the archive ends too early: it is truncated", e);
        } catch (ZipException | IllegalArgumentException e) {
            throw new DamagedArchiveException(
                    "the zip archive cannot be read (" + e.getMessage() + "): unpack it and give the folder", e);
        }
    }

    /** The bytes of one file, whose end does not close the archive. */
    private static final class Content extends FilterInputStream {
        Content(InputStream file) {
            super(file);
        }

        @Override
        public int read() throws IOException {
            return explained(super::read);
        }

        @Override
        public int read(byte[] buffer, int start, int length) throws IOException {
            return explained(() -> super.read(buffer, start, length));
        }

        @Override
        public void close() {
            // The archive is closed as a whole.
        }
    }
}
