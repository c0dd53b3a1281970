/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.Test;

class PackagesTest {
    private static final String ROOT = "io.phasewise.common";
    private static final JavaClasses MAIN =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(ROOT);

    @Test
    void noPackagesUseEachOther() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void onlyPrometheusAndCommandLinesNeedMoreThanTheJdk() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + ".prometheus", ROOT + ".cli")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", "javax..", "com.sun.net..", ROOT + "..")
                .check(MAIN);
    }
}
