package dev.holdfast.it.chart;

import com.marcnuri.helm.Helm;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The main class of the process that {@link HelmProcess} starts: runs one Helm command. */
final class HelmCommand {
    static final String INSTALL = "install";
    static final String TEMPLATE = "template";

    private HelmCommand() {}

    /**
     * Runs one Helm command and prints Helm's output. The exit code is 1 if Helm reports an error.
     *
     * @param arguments in this order: the Helm command, the chart's folder, the release name, the kubeconfig file, and
     * any number of settings
     */
    public static void main(String[] arguments) {
        try {
            System.out.print(answer(List.of(arguments)));
        } catch (IllegalStateException e) {
            System.out.print(e.getMessage());
            System.exit(1);
        }
    }

    private static String answer(List<String> arguments) {
        Helm chart = new Helm(Path.of(arguments.get(1)));
        String release = arguments.get(2);
        Path kubeconfig = Path.of(arguments.get(3));
        List<String> settings = arguments.subList(4, arguments.size());
        return switch (arguments.getFirst()) {
            case INSTALL -> install(chart, release, kubeconfig, settings);
            case TEMPLATE -> template(chart, release, settings);
            default -> throw new IllegalArgumentException("no command " + arguments.getFirst());
        };
    }

    private static String install(Helm chart, String release, Path kubeconfig, List<String> settings) {
        var command = chart.install()
                .withName(release)
                .withNamespace(release)
                .createNamespace()
                .withKubeConfig(kubeconfig);
        settings.forEach(setting -> command.set(key(setting), value(setting)));
        return command.call().getOutput();
    }

    private static String template(Helm chart, String release, List<String> settings) {
        var command = chart.template().withName(release).withNamespace(release).withKubeVersion("1.37.1");
        settings.forEach(setting -> command.set(key(setting), value(setting)));
        return command.call();
    }

    static String key(String setting) {
        return setting.substring(0, setting.indexOf('='));
    }

    static String value(String setting) {
        return setting.substring(setting.indexOf('=') + 1);
    }

    static List<String> arguments(String command, Path chart, String release, Path kubeconfig, List<String> settings) {
        List<String> fixed = List.of(command, chart.toString(), release, kubeconfig.toString());
        return Stream.concat(fixed.stream(), settings.stream()).toList();
    }
}
