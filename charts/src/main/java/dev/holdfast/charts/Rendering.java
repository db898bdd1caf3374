package dev.holdfast.charts;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.nio.file.Path;
import java.util.List;

/**
 * One rendering of a chart, with the inputs of {@code helm template}. The library of Helm runs in this process, and
 * makes it ignore SIGINT and SIGTERM from then on.
 *
 * @param chart the folder of the chart
 * @param release the name of the release
 * @param namespace the namespace of the release
 * @param kubernetes the version of Kubernetes to render for: {@code 1.37.1}
 * @param valueFiles YAML files with values; the last one that has a value wins
 * @param settings values that win over those of the files, the last one of a key over the others
 */
record Rendering(
        Path chart,
        String release,
        String namespace,
        String kubernetes,
        List<Path> valueFiles,
        List<Setting> settings) {
    /** The version of Kubernetes that Holdfast is tested with. */
    static final String KUBERNETES = "1.37.1";

    Rendering {
        valueFiles = List.copyOf(valueFiles);
        settings = List.copyOf(settings);
    }

    /**
     * {@return the YAML documents that {@code helm template} prints}
     *
     * @throws IllegalStateException if Helm refuses the values; the message is Helm's
     */
    String yaml() {
        TemplateCommand command = new Helm(chart)
                .template()
                .withName(release)
                .withNamespace(namespace)
                .withKubeVersion(kubernetes);
        valueFiles.forEach(command::withValuesFile);
        settings.forEach(setting -> command.set(setting.key(), setting.value()));
        return command.call();
    }
}
