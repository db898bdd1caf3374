import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;

/** A checksum of what a build step reads. The step has nothing to do while its fingerprint stays the same. */
final class Fingerprint {
    private Fingerprint() {}

    /** {@return the version of this JDK, and the name and checksum of each file, in their order} */
    static String of(List<Path> files) throws IOException {
        StringBuilder fingerprint = new StringBuilder(Runtime.version().toString());
        for (Path file : files) {
            CRC32 sum = new CRC32();
            sum.update(Files.readAllBytes(file));
            fingerprint.append('\n').append(file.getFileName()).append(' ').append(sum.getValue());
        }
        return fingerprint.toString();
    }
}
