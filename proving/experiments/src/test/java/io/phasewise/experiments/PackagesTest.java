/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.Test;

class PackagesTest {
    private static final String ROOT = "io.phasewise.experiments";

    @Test
    void noPackagesUseEachOther() {
        slices().matching(ROOT + ".(**)")
                .should()
                .beFreeOfCycles()
                .check(new ClassFileImporter()
                        .withImportOption(new DoNotIncludeTests())
                        .importPackages(ROOT));
    }
}
