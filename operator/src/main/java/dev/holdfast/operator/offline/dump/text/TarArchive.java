package dev.holdfast.operator.offline.dump.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A tar archive in the formats ustar, pax and GNU, as
 * <a href="https://www.gnu.org/software/tar/manual/html_node/Standard.html">the manual of GNU tar</a> describes them.
 * Folders, links and devices are left out.
 */
final class TarArchive implements Archive {
    static final int BLOCK = 512;

    /** The most bytes of the headers that stand before one file: long names and attributes. */
    private static final int MOST_ATTRIBUTES = 1 << 20;

    private static final String TRUNCATED = "the archive ends too early: it is truncated";

    private final InputStream archive;
    private Content current = new Content(0);
    private long padding;

    TarArchive(InputStream archive) {
        this.archive = archive;
    }

    /** A part of a header: texts end with a zero byte, and numbers are octal. */
    private enum Part {
        NAME(0, 100),
        SIZE(124, 136),
        CHECKSUM(148, 156),
        TYPE(156, 157),
        MAGIC(257, 263),
        PREFIX(345, 500);

        private final int from;
        private final int to;

        Part(int from, int to) {
            this.from = from;
            this.to = to;
        }

        String text(byte[] header) {
            int end = from;
            while (end < to && header[end] != 0) {
                end++;
            }
            return new String(header, from, end - from, this == NAME || this == PREFIX ? UTF_8 : ISO_8859_1);
        }
    }

    /** {@return whether this is a header, whose checksum no text has} */
    static boolean isHeader(byte[] block) {
        if (block.length < BLOCK) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += i >= Part.CHECKSUM.from && i < Part.CHECKSUM.to ? ' ' : block[i] & 0xff;
        }
        String written = Part.CHECKSUM.text(block).strip();
        return written.matches("[0-7]{1,8}") && Integer.parseInt(written, 8) == sum;
    }

    @Override
    public Optional<Entry> next() throws IOException {
        Map<String, String> attributes = new HashMap<>();
        while (true) {
            skip(current.left);
            skip(padding);
            current.left = 0;
            byte[] header = block();
            if (isEnd(header)) {
                return Optional.empty();
            }
            if (!isHeader(header)) {
                throw new DamagedArchiveException("the archive is damaged: a header of a file has a wrong checksum");
            }
            char type = (char) (header[Part.TYPE.from] & 0xff);
            begin(type == 'x' || type == 'g' || type == 'L' ? sizeIn(header) : size(header, attributes));
            switch (type) {
                case 'x' -> attributes.putAll(attributes(text()));
                case 'L' -> attributes.put("path", text().replaceFirst("\0.*", ""));
                case '\0', '0', '7' -> {
                    boolean isSparse = attributes.keySet().stream().anyMatch(it -> it.startsWith("GNU.sparse."));
                    return Optional.of(isSparse ? sparse(header, attributes) : entry(header, attributes));
                }
                case 'S' -> {
                    skipMap(header);
                    return Optional.of(sparse(header, attributes));
                }
                case 'K', 'g' -> {}
                default -> attributes.clear();
            }
        }
    }

    private static Entry sparse(byte[] header, Map<String, String> attributes) {
        return new Entry(name(header, attributes), new SparseContent());
    }

    private Entry entry(byte[] header, Map<String, String> attributes) {
        return new Entry(name(header, attributes), current);
    }

    /** Skips the blocks with the map of a sparse file, which its size does not count. */
    private void skipMap(byte[] header) throws IOException {
        boolean goesOn = header[482] != 0;
        while (goesOn) {
            goesOn = block()[504] != 0;
        }
    }

    private void begin(long size) {
        current = new Content(size);
        padding = (BLOCK - size % BLOCK) % BLOCK;
    }

    private byte[] block() throws IOException {
        byte[] block = archive.readNBytes(BLOCK);
        if (block.length < BLOCK) {
            throw new DamagedArchiveException(TRUNCATED);
        }
        return block;
    }

    /** {@return whether this is the end of the archive} A block of zeros is there even if an archive has no file. */
    private static boolean isEnd(byte[] header) {
        return Arrays.equals(header, new byte[BLOCK]);
    }

    private void skip(long bytes) throws IOException {
        for (long left = bytes; left > 0; ) {
            long skipped = archive.skip(left);
            if (skipped <= 0) {
                if (archive.read() < 0) {
                    throw new DamagedArchiveException(TRUNCATED);
                }
                skipped = 1;
            }
            left -= skipped;
        }
    }

    /** {@return the content of a header that stands before a file} */
    private String text() throws IOException {
        if (current.left > MOST_ATTRIBUTES) {
            throw new DamagedArchiveException(
                    "the archive is damaged: the attributes of a file have " + current.left + " bytes");
        }
        byte[] content = current.readAllBytes();
        return new String(content, UTF_8);
    }

    private static long size(byte[] header, Map<String, String> attributes) throws DamagedArchiveException {
        String given = attributes.get("size");
        return given == null ? sizeIn(header) : number(given, 10);
    }

    private static long sizeIn(byte[] header) throws DamagedArchiveException {
        // GNU tar writes sizes of 8 GiB and more as binary numbers.
        if ((header[Part.SIZE.from] & 0x80) != 0) {
            byte[] binary = Arrays.copyOfRange(header, Part.SIZE.from, Part.SIZE.to);
            binary[0] &= 0x7f;
            return number(new BigInteger(binary).toString(), 10);
        }
        String octal = Part.SIZE.text(header).strip();
        return octal.isEmpty() ? 0 : number(octal, 8);
    }

    private static long number(String digits, int radix) throws DamagedArchiveException {
        try {
            long number = Long.parseLong(digits, radix);
            if (number >= 0 && number <= Long.MAX_VALUE - BLOCK) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new DamagedArchiveException("the archive is damaged: a file has a size that is no number", e);
        }
        throw new DamagedArchiveException("the archive is damaged: a file has the size " + digits);
    }

    /** {@return the attributes of pax: lines of a length, a name, an equals sign and a value} */
    private static Map<String, String> attributes(String text) {
        Map<String, String> attributes = new HashMap<>();
        for (String line : text.split("\n")) {
            int space = line.indexOf(' ');
            int equals = line.indexOf('=');
            if (space > 0 && equals > space) {
                attributes.put(line.substring(space + 1, equals), line.substring(equals + 1));
            }
        }
        return attributes;
    }

    private static String name(byte[] header, Map<String, String> attributes) {
        String prefix = Part.MAGIC.text(header).equals("ustar") ? Part.PREFIX.text(header) : "";
        String inHeader = (prefix.isEmpty() ? "" : prefix + "/") + Part.NAME.text(header);
        return attributes.getOrDefault("path", inHeader);
    }

    /** The bytes of a file with holes, which are not put together. */
    private static final class SparseContent extends InputStream {
        @Override
        public int read() throws IOException {
            throw new DamagedArchiveException("it is a sparse file in an archive: unpack it and give the folder");
        }

        @Override
        public int read(byte[] buffer, int start, int length) throws IOException {
            return length == 0 ? 0 : read();
        }
    }

    /** The bytes of one file. */
    private final class Content extends InputStream {
        private long left;

        Content(long size) {
            left = size;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int start, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (left == 0) {
                return -1;
            }
            int read = archive.read(buffer, start, (int) Math.min(length, left));
            if (read < 0) {
                throw new DamagedArchiveException(TRUNCATED);
            }
            left -= read;
            return read;
        }
    }
}
