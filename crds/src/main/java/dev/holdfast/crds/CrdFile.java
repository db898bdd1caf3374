package dev.holdfast.crds;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The YAML of one CRD of Holdfast, ready to be installed in a cluster.
 *
 * @param name of the CRD object; the file has the same name with {@code .yaml}
 * @param yaml one YAML document that ends in a line break and has no {@code ---} marker
 */
public record CrdFile(String name, String yaml) {
    private static final String FOLDER = "/META-INF/holdfast/";
    private static final List<String> NAMES = List.of(
            "placementpolicies.holdfast.dev",
            "clusterplacementpolicies.holdfast.dev",
            "enforcementpauses.holdfast.dev");

    /** {@return all CRDs of this version; the CRD of PlacementPolicy, the only namespaced kind, comes first} */
    public static List<CrdFile> all() {
        return NAMES.stream().map(CrdFile::read).toList();
    }

    private static CrdFile read(String name) {
        String path = FOLDER + name + ".yaml";
        try (InputStream file = CrdFile.class.getResourceAsStream(path)) {
            if (file == null) {
                throw new IllegalStateException(path + " is not on the classpath: the crds jar is incomplete");
            }
            return new CrdFile(name, new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + path, e);
        }
    }
}
