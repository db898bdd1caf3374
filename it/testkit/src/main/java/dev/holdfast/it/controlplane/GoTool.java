package dev.holdfast.it.controlplane;

/** A program that a {@link GoModule} pins. */
public interface GoTool {
    /** {@return the name of the program and of its binary} */
    String label();

    /** {@return the import path of its main package} */
    String goPackage();
}
