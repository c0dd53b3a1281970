/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

import java.nio.file.Path;
import java.util.Set;

/**
 * Makes a value from the content of files.
 *
 * @param <T> what is made
 */
public interface FileSource<T> {

    /** The files; asked for again after each {@link #read}, as one file may name others. */
    Set<Path> files();

    /**
     * Makes the value from what the files hold now.
     *
     * @throws UnusableFileException when that is not possible
     */
    T read() throws UnusableFileException;
}
