package dev.holdfast.operator.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * The properties that tell one content of a file from another without reading it. Symbolic links are followed, as the
 * kubelet replaces a Secret by changing one.
 *
 * @param identity the file's device and inode, where the file system has them
 */
record FileState(FileTime modified, long size, String identity) {
    /** {@return the state of a file now; empty if there is none or the folder may not be read} */
    static Optional<FileState> of(Path file) {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new FileState(now.lastModifiedTime(), now.size(), String.valueOf(now.fileKey())));
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
