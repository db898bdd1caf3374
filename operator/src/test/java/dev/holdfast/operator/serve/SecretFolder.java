package dev.holdfast.operator.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import okhttp3.tls.HeldCertificate;

/** A folder in which a Secret is mounted: as the kubelet does, it replaces all files at once by moving one link. */
final class SecretFolder {
    private static final String DATA = "..data";

    private final Path folder;
    private int versions;

    SecretFolder(Path folder) {
        this.folder = folder;
    }

    Path path() {
        return folder;
    }

    /** Replaces both files. */
    void write(String certificates, String key) {
        try {
            versions++;
            Path version = Files.createDirectory(folder.resolve("..version-" + versions));
            Files.writeString(version.resolve("tls.crt"), certificates);
            Files.writeString(version.resolve("tls.key"), key);
            Path link = Files.createSymbolicLink(folder.resolve("..data_tmp"), version.getFileName());
            Files.move(link, folder.resolve(DATA), StandardCopyOption.ATOMIC_MOVE);
            for (String file : List.of("tls.crt", "tls.key")) {
                if (!Files.isSymbolicLink(folder.resolve(file))) {
                    Files.createSymbolicLink(folder.resolve(file), Path.of(DATA, file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the chain of certificates, and the key of the first one as PKCS#8. */
    void write(HeldCertificate server, HeldCertificate... issuers) {
        write(chain(server, issuers), server.privateKeyPkcs8Pem());
    }

    /** Deletes a file that exists. */
    void delete(String file) {
        try {
            if (!Files.deleteIfExists(folder.resolve(file))) {
                throw new NoSuchFileException(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String chain(HeldCertificate server, HeldCertificate... issuers) {
        return Stream.concat(Stream.of(server), Stream.of(issuers))
                .map(HeldCertificate::certificatePem)
                .collect(Collectors.joining());
    }

    /** {@return one block of a PEM file} */
    static String pem(String label, byte[] bytes) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }
}
