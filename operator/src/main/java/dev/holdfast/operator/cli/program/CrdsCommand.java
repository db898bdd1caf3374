package dev.holdfast.operator.cli.program;

import dev.holdfast.crds.CrdFile;
import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.reconcile.InstalledKinds;
import java.io.PrintWriter;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code holdfast crds}: prints Holdfast's CRDs as YAML. */
@Command(
        name = "crds",
        description = "Prints the CRDs as YAML, to be installed by: " + InstalledKinds.INSTALL,
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public final class CrdsCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(CrdFile.all().stream().map(CrdFile::yaml).collect(Collectors.joining("---\n")));
        out.flush();
    }
}
