package dev.holdfast.operator.cli.options;

import dev.holdfast.operator.app.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
public final class ProgramVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"holdfast " + BuildVersion.get(), "java " + Runtime.version()};
    }
}
