package dev.holdfast.charts;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The chart of this repository, rendered as release {@code holdfast} in namespace {@code hf}.
 *
 * <p>Settings have the syntax of {@code helm --set}: {@code enforcement.enabled=true}.
 */
final class Chart {
    static final Path FOLDER = Path.of("holdfast");
    static final String KUBERNETES = "1.37.1";
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private Chart() {}

    /** {@return the output of {@code helm template}} */
    static String render(String... settings) {
        return renderFor(KUBERNETES, settings);
    }

    /** {@return the output of {@code helm template} for a version of Kubernetes} */
    static String renderFor(String kubernetes, String... settings) {
        TemplateCommand command = new Helm(FOLDER)
                .template()
                .withName("holdfast")
                .withNamespace("hf")
                .withKubeVersion(kubernetes);
        for (String setting : settings) {
            command.set(key(setting), value(setting));
        }
        return command.call();
    }

    /** {@return the rendered objects in Helm's order} */
    static List<HasMetadata> objects(String... settings) {
        return read(render(settings));
    }

    /** {@return the rendered objects of one kind} */
    static <T extends HasMetadata> List<T> objects(Class<T> kind, String... settings) {
        return objects(settings).stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** {@return the only object of this kind and name; fails if it is missing} */
    static <T extends HasMetadata> T object(Class<T> kind, String name, String... settings) {
        return objects(kind, settings).stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the chart renders no " + kind.getSimpleName() + " " + name));
    }

    /** {@return the notes that {@code helm install} prints} */
    static String notes(String... settings) {
        return notesFor(KUBERNETES, settings);
    }

    /** {@return the notes that {@code helm install} prints on a version of Kubernetes} */
    static String notesFor(String kubernetes, String... settings) {
        var command = new Helm(FOLDER)
                .install()
                .withName("holdfast")
                .withNamespace("hf")
                .withKubeVersion(kubernetes)
                .clientOnly()
                .dryRun();
        for (String setting : settings) {
            command.set(key(setting), value(setting));
        }
        String output = command.call().getOutput();
        return output.substring(output.indexOf("NOTES:\n") + "NOTES:\n".length());
    }

    /** {@return a file of the chart} */
    static String file(String name) {
        try {
            return Files.readString(FOLDER.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException("read " + name + " of the chart", e);
        }
    }

    /** {@return the objects of a YAML stream in their order} */
    @SuppressWarnings("unchecked")
    static List<HasMetadata> read(String yaml) {
        Object read = YAML.unmarshal(yaml);
        return read instanceof List<?> objects ? (List<HasMetadata>) objects : List.of((HasMetadata) read);
    }

    /** {@return one YAML document as a value of the given type} */
    static <T> T read(String yaml, Class<T> type) {
        return YAML.unmarshal(yaml, type);
    }

    private static String key(String setting) {
        return setting.substring(0, setting.indexOf('='));
    }

    private static String value(String setting) {
        return setting.substring(setting.indexOf('=') + 1);
    }
}
