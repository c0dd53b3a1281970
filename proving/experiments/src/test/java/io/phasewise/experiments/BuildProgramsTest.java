/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in proving/, which Java starts from their sources with this module's class path. */
class BuildProgramsTest {

    @Test
    void eachCompiles(@TempDir Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        List<String> options = List.of("-cp", System.getProperty("java.class.path"), "-d", classes.toString());
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("phasewise.root"), "proving"));
                StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<Path> programs =
                    files.filter(each -> each.toString().endsWith(".java")).toList();
            assertThat(programs).hasSizeGreaterThan(2);

            boolean compiled = compiler.getTask(
                            said, manager, null, options, null, manager.getJavaFileObjectsFromPaths(programs))
                    .call();

            assertThat(compiled).as(said.toString()).isTrue();
        }
    }
}
