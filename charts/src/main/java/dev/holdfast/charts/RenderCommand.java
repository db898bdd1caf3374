package dev.holdfast.charts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code charts/render}: prints what {@code helm template} prints of the chart. */
@Command(
        name = "charts/render",
        customSynopsis =
                "charts/render [NAME] [-n NAMESPACE] [-f FILE]... [--set KEY=VALUE]... [--kube-version VERSION]",
        description = {
            "Prints the Kubernetes objects of the Helm chart, as `helm template NAME charts/holdfast` does.",
            "Helm need not be installed."
        },
        sortOptions = false,
        exitCodeOnInvalidInput = RenderCommand.USAGE,
        exitCodeOnExecutionException = RenderCommand.COULD_NOT_RUN,
        footerHeading = "%nExample:%n",
        footer = {
            "  charts/render holdfast -n holdfast --set enforcement.enabled=true | kubectl apply --server-side -f -",
            "",
            "Exit codes:",
            "  0  success",
            "  2  invalid command line, or values that the chart refuses",
            "  3  the command failed: see the last line"
        })
final class RenderCommand implements Callable<Integer> {
    static final int USAGE = 2;
    static final int COULD_NOT_RUN = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Parameters(index = "0", hidden = true)
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private Path chart;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "The name of the release. Default, as in Helm: release-name.")
    private String release = "release-name";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "The namespace of the release, which is not printed. Default, as in Helm: default.")
    private String namespace = "default";

    @Option(
            names = {"-f", "--values"},
            paramLabel = "FILE",
            description = "A YAML file with values. Of several, the last one that has a value wins.")
    private List<Path> valueFiles = List.of();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A value, which wins over those of files; several are separated by commas.")
    private List<String> settings = List.of();

    @Option(
            names = "--kube-version",
            paramLabel = "VERSION",
            description = "The version of Kubernetes to render for. Default: " + Rendering.KUBERNETES + ".")
    private String kubernetes = Rendering.KUBERNETES;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    private RenderCommand() {}

    /** {@return the command, for one call} The first argument of the command is the folder of the chart. */
    static CommandLine commandLine() {
        return new CommandLine(new RenderCommand()).setParameterExceptionHandler(RenderCommand::refuse);
    }

    private static int refuse(ParameterException refused, String[] arguments) {
        CommandLine commandLine = refused.getCommandLine();
        commandLine.getErr().println("charts/render: " + refused.getMessage());
        commandLine.getErr().println("Try: charts/render --help");
        return USAGE;
    }

    @Override
    public Integer call() {
        for (Path file : valueFiles) {
            if (!Files.isRegularFile(file)) {
                throw new ParameterException(spec.commandLine(), "there is no file " + file);
            }
        }
        try {
            List<Setting> set = settings.stream()
                    .flatMap(argument -> Setting.parse(argument).stream())
                    .toList();
            spec.commandLine()
                    .getOut()
                    .print(new Rendering(chart, release, namespace, kubernetes, valueFiles, set).yaml());
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), String.valueOf(e.getMessage()).strip(), e);
        }
        spec.commandLine().getOut().flush();
        return 0;
    }
}
