// Written by the tests of holdfast-station from the contract's own layouts; never by hand.

import type { FormView } from './wire'

export const FORMS: Readonly<Record<string, FormView>> = {
  "application": {
    "kind": "application",
    "contract_version": 41,
    "groups": [
      {
        "id": "site",
        "legend": {
          "en": "Site",
          "es": "Lugar de la obra"
        },
        "fields": [
          {
            "name": "OriginalAddress1",
            "pointer": "/payload/OriginalAddress1",
            "label": {
              "en": "Site address",
              "es": "Dirección de la obra"
            },
            "hint": {
              "en": "12 1/2 Oak St",
              "es": "12 1/2 Oak St"
            },
            "example": "12 1/2 Oak St",
            "need": "required",
            "width": "xl",
            "control": {
              "control": "address",
              "limit": 250
            }
          },
          {
            "name": "OriginalAddress2",
            "pointer": "/payload/OriginalAddress2",
            "label": {
              "en": "Unit or suite",
              "es": "Unidad o suite"
            },
            "hint": {
              "en": "4B",
              "es": "4B"
            },
            "example": null,
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "line",
              "limit": 250
            }
          },
          {
            "name": "OriginalZip",
            "pointer": "/payload/OriginalZip",
            "label": {
              "en": "ZIP code",
              "es": "Código postal"
            },
            "hint": {
              "en": "98101",
              "es": "98101"
            },
            "example": "98101",
            "need": "optional",
            "width": "xs",
            "control": {
              "control": "line",
              "limit": 12
            }
          },
          {
            "name": "PIN",
            "pointer": "/payload/PIN",
            "label": {
              "en": "Parcels",
              "es": "Parcelas"
            },
            "hint": {
              "en": "0010-22-417",
              "es": "0010-22-417"
            },
            "example": "0010-22-417",
            "need": "required",
            "width": "full",
            "control": {
              "control": "parcels",
              "entries_max": 50,
              "reason_pointer": "/payload/NoParcelReason",
              "reason_name": "NoParcelReason"
            }
          }
        ]
      },
      {
        "id": "work",
        "legend": {
          "en": "Work",
          "es": "Obra"
        },
        "fields": [
          {
            "name": "PermitTypeMapped",
            "pointer": "/payload/PermitTypeMapped",
            "label": {
              "en": "Permit type",
              "es": "Tipo de permiso"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "Building",
                  "word": {
                    "en": "Building",
                    "es": "Construcción"
                  }
                },
                {
                  "code": "Demolition",
                  "word": {
                    "en": "Demolition",
                    "es": "Demolición"
                  }
                },
                {
                  "code": "Electrical",
                  "word": {
                    "en": "Electrical",
                    "es": "Electricidad"
                  }
                },
                {
                  "code": "Mechanical",
                  "word": {
                    "en": "Mechanical",
                    "es": "Mecánica"
                  }
                },
                {
                  "code": "Plumbing",
                  "word": {
                    "en": "Plumbing",
                    "es": "Plomería"
                  }
                },
                {
                  "code": "Roof",
                  "word": {
                    "en": "Roof",
                    "es": "Techo"
                  }
                },
                {
                  "code": "Fence",
                  "word": {
                    "en": "Fence",
                    "es": "Cerca"
                  }
                },
                {
                  "code": "Grading",
                  "word": {
                    "en": "Grading",
                    "es": "Nivelación de terreno"
                  }
                },
                {
                  "code": "Pool/Spa",
                  "word": {
                    "en": "Pool or spa",
                    "es": "Piscina o spa"
                  }
                }
              ]
            }
          },
          {
            "name": "WorkClassMapped",
            "pointer": "/payload/WorkClassMapped",
            "label": {
              "en": "Class of work",
              "es": "Clase de obra"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "New",
                  "word": {
                    "en": "New",
                    "es": "Nueva"
                  }
                },
                {
                  "code": "Existing",
                  "word": {
                    "en": "Existing",
                    "es": "Existente"
                  }
                }
              ]
            }
          },
          {
            "name": "Description",
            "pointer": "/payload/Description",
            "label": {
              "en": "Work description",
              "es": "Descripción de la obra"
            },
            "hint": {
              "en": "Replace water heater, 50 gallons, same place",
              "es": "Cambiar calentador de agua, 50 galones, mismo lugar"
            },
            "example": null,
            "need": "optional",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 4000
            }
          },
          {
            "name": "PermitClassMapped",
            "pointer": "/payload/PermitClassMapped",
            "label": {
              "en": "Class of property",
              "es": "Clase de inmueble"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "Residential",
                  "word": {
                    "en": "Residential",
                    "es": "Residencial"
                  }
                },
                {
                  "code": "Non-Residential",
                  "word": {
                    "en": "Non-residential",
                    "es": "No residencial"
                  }
                }
              ]
            }
          },
          {
            "name": "ProposedUse",
            "pointer": "/payload/ProposedUse",
            "label": {
              "en": "Proposed use",
              "es": "Uso propuesto"
            },
            "hint": {
              "en": "Single-family dwelling",
              "es": "Vivienda unifamiliar"
            },
            "example": null,
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "line",
              "limit": 250
            }
          },
          {
            "name": "HousingUnits",
            "pointer": "/payload/HousingUnits",
            "label": {
              "en": "Housing units gained",
              "es": "Viviendas que se agregan"
            },
            "hint": {
              "en": "2, or -1 where one is lost",
              "es": "2, o -1 si se pierde una"
            },
            "example": "12",
            "need": "optional",
            "width": "xs",
            "control": {
              "control": "count"
            }
          },
          {
            "name": "TotalSqFt",
            "pointer": "/payload/TotalSqFt",
            "label": {
              "en": "Area of the work",
              "es": "Superficie de la obra"
            },
            "hint": {
              "en": "1840.5",
              "es": "1840.5"
            },
            "example": "1840.5",
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "measure",
              "unit": {
                "en": "sq ft",
                "es": "pies²"
              }
            }
          },
          {
            "name": "AddedSqFt",
            "pointer": "/payload/AddedSqFt",
            "label": {
              "en": "Area added",
              "es": "Superficie agregada"
            },
            "hint": {
              "en": "320",
              "es": "320"
            },
            "example": "1840.5",
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "measure",
              "unit": {
                "en": "sq ft",
                "es": "pies²"
              }
            }
          },
          {
            "name": "RemovedSqFt",
            "pointer": "/payload/RemovedSqFt",
            "label": {
              "en": "Area removed",
              "es": "Superficie demolida"
            },
            "hint": {
              "en": "120",
              "es": "120"
            },
            "example": "1840.5",
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "measure",
              "unit": {
                "en": "sq ft",
                "es": "pies²"
              }
            }
          },
          {
            "name": "ProjectName",
            "pointer": "/payload/ProjectName",
            "label": {
              "en": "Project name",
              "es": "Nombre del proyecto"
            },
            "hint": {
              "en": "Alder Mill, phase 2",
              "es": "Alder Mill, fase 2"
            },
            "example": null,
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "line",
              "limit": 250
            }
          },
          {
            "name": "MasterPermitNum",
            "pointer": "/payload/MasterPermitNum",
            "label": {
              "en": "Master permit number",
              "es": "Número del permiso principal"
            },
            "hint": {
              "en": "BP-2026-01187",
              "es": "BP-2026-01187"
            },
            "example": "BP-2026-01187",
            "need": "optional",
            "width": "md",
            "control": {
              "control": "line",
              "limit": 64
            }
          }
        ]
      },
      {
        "id": "people",
        "legend": {
          "en": "People",
          "es": "Personas"
        },
        "fields": [
          {
            "name": "ApplicantName",
            "pointer": "/payload/ApplicantName",
            "label": {
              "en": "Applicant name",
              "es": "Nombre del solicitante"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "line",
              "limit": 250
            }
          },
          {
            "name": "ApplicantPhone",
            "pointer": "/payload/ApplicantPhone",
            "label": {
              "en": "Applicant phone",
              "es": "Teléfono del solicitante"
            },
            "hint": {
              "en": "(555) 010-0142",
              "es": "(555) 010-0142"
            },
            "example": "(555) 010-0142",
            "need": "optional",
            "width": "md",
            "control": {
              "control": "phone",
              "limit": 40
            }
          },
          {
            "name": "ApplicantEmail",
            "pointer": "/payload/ApplicantEmail",
            "label": {
              "en": "Applicant email",
              "es": "Correo electrónico del solicitante"
            },
            "hint": {
              "en": "name@example.org",
              "es": "nombre@example.org"
            },
            "example": "name@example.org",
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "email",
              "limit": 254
            }
          },
          {
            "name": "ContractorCompanyName",
            "pointer": "/payload/ContractorCompanyName",
            "label": {
              "en": "Contractor company",
              "es": "Empresa contratista"
            },
            "hint": {
              "en": "Alder Roofing LLC",
              "es": "Alder Roofing LLC"
            },
            "example": null,
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "line",
              "limit": 250
            }
          },
          {
            "name": "ContractorLicNum",
            "pointer": "/payload/ContractorLicNum",
            "label": {
              "en": "Contractor license number",
              "es": "Número de licencia del contratista"
            },
            "hint": {
              "en": "ALDERR*842JC",
              "es": "ALDERR*842JC"
            },
            "example": "ALDERR*842JC",
            "need": "optional",
            "width": "md",
            "control": {
              "control": "line",
              "limit": 60
            }
          },
          {
            "name": "ContractorTradeMapped",
            "pointer": "/payload/ContractorTradeMapped",
            "label": {
              "en": "Contractor trade",
              "es": "Oficio del contratista"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "General",
                  "word": {
                    "en": "General",
                    "es": "Contratista general"
                  }
                },
                {
                  "code": "Electrical",
                  "word": {
                    "en": "Electrical",
                    "es": "Electricidad"
                  }
                },
                {
                  "code": "Mechanical",
                  "word": {
                    "en": "Mechanical",
                    "es": "Mecánica"
                  }
                },
                {
                  "code": "Plumbing",
                  "word": {
                    "en": "Plumbing",
                    "es": "Plomería"
                  }
                },
                {
                  "code": "Architecture",
                  "word": {
                    "en": "Architecture",
                    "es": "Arquitectura"
                  }
                },
                {
                  "code": "Engineering",
                  "word": {
                    "en": "Engineering",
                    "es": "Ingeniería"
                  }
                },
                {
                  "code": "Masonry",
                  "word": {
                    "en": "Masonry",
                    "es": "Mampostería"
                  }
                },
                {
                  "code": "Sign",
                  "word": {
                    "en": "Sign",
                    "es": "Letreros"
                  }
                },
                {
                  "code": "Tent",
                  "word": {
                    "en": "Tent",
                    "es": "Carpas"
                  }
                }
              ]
            }
          },
          {
            "name": "ContractorPhone",
            "pointer": "/payload/ContractorPhone",
            "label": {
              "en": "Contractor phone",
              "es": "Teléfono del contratista"
            },
            "hint": {
              "en": "(555) 010-0187",
              "es": "(555) 010-0187"
            },
            "example": "(555) 010-0142",
            "need": "optional",
            "width": "md",
            "control": {
              "control": "phone",
              "limit": 40
            }
          }
        ]
      },
      {
        "id": "money",
        "legend": {
          "en": "Money and dates",
          "es": "Montos y fechas"
        },
        "fields": [
          {
            "name": "EstProjectCost",
            "pointer": "/payload/EstProjectCost",
            "label": {
              "en": "Valuation",
              "es": "Valuación"
            },
            "hint": {
              "en": "25,000.00",
              "es": "25,000.00"
            },
            "example": "1,234.56",
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "money"
            }
          },
          {
            "name": "AppliedDate",
            "pointer": "/payload/AppliedDate",
            "label": {
              "en": "Date applied",
              "es": "Fecha de solicitud"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "day"
            }
          }
        ]
      }
    ]
  },
  "stage": {
    "kind": "stage",
    "contract_version": 41,
    "groups": [
      {
        "id": "move",
        "legend": {
          "en": "Next step",
          "es": "Siguiente paso"
        },
        "fields": [
          {
            "name": "to",
            "pointer": "/payload/to",
            "label": {
              "en": "Next stage",
              "es": "Etapa siguiente"
            },
            "hint": null,
            "example": null,
            "need": "required",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "Intake",
                  "word": {
                    "en": "Returned to the applicant",
                    "es": "Devuelta al solicitante"
                  }
                },
                {
                  "code": "PrelimReview",
                  "word": {
                    "en": "Preliminary review",
                    "es": "Revisión preliminar"
                  }
                },
                {
                  "code": "FeeEstimated",
                  "word": {
                    "en": "Fee estimated",
                    "es": "Tarifa estimada"
                  }
                },
                {
                  "code": "ConditionalApproval",
                  "word": {
                    "en": "Conditional approval",
                    "es": "Aprobación condicional"
                  }
                },
                {
                  "code": "Withdrawn",
                  "word": {
                    "en": "Withdrawn",
                    "es": "Retirada"
                  }
                },
                {
                  "code": "Voided",
                  "word": {
                    "en": "Voided",
                    "es": "Anulada"
                  }
                }
              ]
            }
          },
          {
            "name": "reason",
            "pointer": "/payload/reason",
            "label": {
              "en": "Reason",
              "es": "Motivo"
            },
            "hint": {
              "en": "Site plan missing",
              "es": "Falta el plano del sitio"
            },
            "example": null,
            "need": "optional",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 2000
            }
          }
        ]
      }
    ]
  },
  "inspection": {
    "kind": "inspection",
    "contract_version": 41,
    "groups": [
      {
        "id": "result",
        "legend": {
          "en": "Result",
          "es": "Resultado"
        },
        "fields": [
          {
            "name": "ResultMapped",
            "pointer": "/payload/ResultMapped",
            "label": {
              "en": "Result",
              "es": "Resultado"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "Passed",
                  "word": {
                    "en": "Passed",
                    "es": "Aprobada"
                  }
                },
                {
                  "code": "Rejected",
                  "word": {
                    "en": "Rejected",
                    "es": "Rechazada"
                  }
                },
                {
                  "code": "Partial",
                  "word": {
                    "en": "Partial",
                    "es": "Parcial"
                  }
                },
                {
                  "code": "NoAccess",
                  "word": {
                    "en": "No access",
                    "es": "Sin acceso"
                  }
                },
                {
                  "code": "NotReady",
                  "word": {
                    "en": "Not ready",
                    "es": "No está lista"
                  }
                },
                {
                  "code": "Cancelled",
                  "word": {
                    "en": "Cancelled",
                    "es": "Cancelada"
                  }
                },
                {
                  "code": "InformationOnly",
                  "word": {
                    "en": "Information only",
                    "es": "Solo informativa"
                  }
                }
              ]
            }
          },
          {
            "name": "InspectedDate",
            "pointer": "/payload/InspectedDate",
            "label": {
              "en": "Date inspected",
              "es": "Fecha de la inspección"
            },
            "hint": null,
            "example": null,
            "need": "required",
            "width": "sm",
            "control": {
              "control": "day"
            }
          },
          {
            "name": "InspectedTime",
            "pointer": "/payload/InspectedTime",
            "label": {
              "en": "Time inspected",
              "es": "Hora de la inspección"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "xs",
            "control": {
              "control": "time_of_day"
            }
          },
          {
            "name": "InspectionNotes",
            "pointer": "/payload/InspectionNotes",
            "label": {
              "en": "Notes",
              "es": "Notas"
            },
            "hint": {
              "en": "North footing, rebar 2 in. from the form",
              "es": "Zapata norte, varilla a 2 pulg. de la cimbra"
            },
            "example": null,
            "need": "optional",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 4000
            }
          },
          {
            "name": "ReInspection",
            "pointer": "/payload/ReInspection",
            "label": {
              "en": "Reinspection",
              "es": "Reinspección"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "xs",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "Yes",
                  "word": {
                    "en": "Yes",
                    "es": "Sí"
                  }
                },
                {
                  "code": "No",
                  "word": {
                    "en": "No",
                    "es": "No"
                  }
                }
              ]
            }
          }
        ]
      }
    ]
  },
  "correction": {
    "kind": "correction",
    "contract_version": 41,
    "groups": [
      {
        "id": "all",
        "legend": {
          "en": "Correction",
          "es": "Correction"
        },
        "fields": [
          {
            "name": "of",
            "pointer": "/payload/of",
            "label": {
              "en": "Of",
              "es": "Of"
            },
            "hint": null,
            "example": null,
            "need": "required",
            "width": "md",
            "control": {
              "control": "line",
              "limit": 36
            }
          }
        ]
      }
    ]
  },
  "void": {
    "kind": "void",
    "contract_version": 41,
    "groups": [
      {
        "id": "all",
        "legend": {
          "en": "Void",
          "es": "Void"
        },
        "fields": [
          {
            "name": "of",
            "pointer": "/payload/of",
            "label": {
              "en": "Of",
              "es": "Of"
            },
            "hint": null,
            "example": null,
            "need": "required",
            "width": "md",
            "control": {
              "control": "line",
              "limit": 36
            }
          },
          {
            "name": "reason",
            "pointer": "/payload/reason",
            "label": {
              "en": "Reason",
              "es": "Reason"
            },
            "hint": null,
            "example": null,
            "need": "required",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 2000
            }
          }
        ]
      }
    ]
  },
  "hold": {
    "kind": "hold",
    "contract_version": 41,
    "groups": [
      {
        "id": "hold",
        "legend": {
          "en": "Hold",
          "es": "Retención"
        },
        "fields": [
          {
            "name": "type",
            "pointer": "/payload/type",
            "label": {
              "en": "Type of hold",
              "es": "Tipo de retención"
            },
            "hint": null,
            "example": null,
            "need": "required",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "stop-work",
                  "word": {
                    "en": "Stop work",
                    "es": "Suspensión de obra"
                  }
                },
                {
                  "code": "hold",
                  "word": {
                    "en": "Hold",
                    "es": "Retención"
                  }
                },
                {
                  "code": "notice",
                  "word": {
                    "en": "Notice on the record",
                    "es": "Aviso en el expediente"
                  }
                },
                {
                  "code": "release",
                  "word": {
                    "en": "Release of a hold",
                    "es": "Liberación de una retención"
                  }
                }
              ]
            }
          },
          {
            "name": "of",
            "pointer": "/payload/of",
            "label": {
              "en": "Hold to release",
              "es": "Retención que se libera"
            },
            "hint": {
              "en": "Number of the hold",
              "es": "Número de la retención"
            },
            "example": null,
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "line",
              "limit": 36
            }
          },
          {
            "name": "reason",
            "pointer": "/payload/reason",
            "label": {
              "en": "Reason",
              "es": "Motivo"
            },
            "hint": {
              "en": "Work beyond the approved plans",
              "es": "Obra fuera de los planos aprobados"
            },
            "example": null,
            "need": "required",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 4000
            }
          }
        ]
      }
    ]
  },
  "notice": {
    "kind": "notice",
    "contract_version": 41,
    "groups": [
      {
        "id": "notice",
        "legend": {
          "en": "Notice",
          "es": "Aviso"
        },
        "fields": [
          {
            "name": "id",
            "pointer": "/payload/id",
            "label": {
              "en": "Notice number",
              "es": "Número de aviso"
            },
            "hint": {
              "en": "N-2026-0417",
              "es": "N-2026-0417"
            },
            "example": null,
            "need": "required",
            "width": "md",
            "control": {
              "control": "line",
              "limit": 64
            }
          },
          {
            "name": "type",
            "pointer": "/payload/type",
            "label": {
              "en": "Type of notice",
              "es": "Tipo de aviso"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "incomplete",
                  "word": {
                    "en": "Incomplete application",
                    "es": "Solicitud incompleta"
                  }
                },
                {
                  "code": "corrections",
                  "word": {
                    "en": "Corrections needed",
                    "es": "Se requieren correcciones"
                  }
                },
                {
                  "code": "other",
                  "word": {
                    "en": "Other",
                    "es": "Otro"
                  }
                }
              ]
            }
          },
          {
            "name": "printed",
            "pointer": "/payload/printed",
            "label": {
              "en": "Date printed",
              "es": "Fecha de impresión"
            },
            "hint": null,
            "example": null,
            "need": "required",
            "width": "sm",
            "control": {
              "control": "day"
            }
          },
          {
            "name": "answered",
            "pointer": "/payload/answered",
            "label": {
              "en": "Date answered",
              "es": "Fecha de respuesta"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "day"
            }
          },
          {
            "name": "text",
            "pointer": "/payload/text",
            "label": {
              "en": "Text",
              "es": "Texto"
            },
            "hint": {
              "en": "Site plan missing",
              "es": "Falta el plano del sitio"
            },
            "example": null,
            "need": "optional",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 4000
            }
          }
        ]
      }
    ]
  },
  "fee": {
    "kind": "fee",
    "contract_version": 41,
    "groups": [
      {
        "id": "fee",
        "legend": {
          "en": "Fee",
          "es": "Tarifa"
        },
        "fields": [
          {
            "name": "type",
            "pointer": "/payload/type",
            "label": {
              "en": "Type of entry",
              "es": "Tipo de asiento"
            },
            "hint": null,
            "example": null,
            "need": "required",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "payment",
                  "word": {
                    "en": "Payment",
                    "es": "Pago"
                  }
                },
                {
                  "code": "waiver",
                  "word": {
                    "en": "Waiver",
                    "es": "Exención"
                  }
                },
                {
                  "code": "refund",
                  "word": {
                    "en": "Refund",
                    "es": "Reembolso"
                  }
                }
              ]
            }
          },
          {
            "name": "code",
            "pointer": "/payload/code",
            "label": {
              "en": "Fee code",
              "es": "Código de tarifa"
            },
            "hint": {
              "en": "PLAN-REVIEW",
              "es": "PLAN-REVIEW"
            },
            "example": null,
            "need": "required",
            "width": "md",
            "control": {
              "control": "line",
              "limit": 64
            }
          },
          {
            "name": "amount",
            "pointer": "/payload/amount",
            "label": {
              "en": "Amount",
              "es": "Importe"
            },
            "hint": null,
            "example": "1,234.56",
            "need": "required",
            "width": "sm",
            "control": {
              "control": "money"
            }
          },
          {
            "name": "method",
            "pointer": "/payload/method",
            "label": {
              "en": "Paid by",
              "es": "Forma de pago"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "cash",
                  "word": {
                    "en": "Cash",
                    "es": "Efectivo"
                  }
                },
                {
                  "code": "check",
                  "word": {
                    "en": "Check",
                    "es": "Cheque"
                  }
                },
                {
                  "code": "card",
                  "word": {
                    "en": "Card",
                    "es": "Tarjeta bancaria"
                  }
                },
                {
                  "code": "account",
                  "word": {
                    "en": "Account",
                    "es": "Cuenta"
                  }
                }
              ]
            }
          },
          {
            "name": "reason",
            "pointer": "/payload/reason",
            "label": {
              "en": "Reason",
              "es": "Motivo"
            },
            "hint": {
              "en": "Storm damage, council resolution 112",
              "es": "Daños por tormenta, resolución 112"
            },
            "example": null,
            "need": "optional",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 4000
            }
          }
        ]
      }
    ]
  },
  "note": {
    "kind": "note",
    "contract_version": 41,
    "groups": [
      {
        "id": "note",
        "legend": {
          "en": "Note",
          "es": "Nota"
        },
        "fields": [
          {
            "name": "text",
            "pointer": "/payload/text",
            "label": {
              "en": "Note",
              "es": "Nota"
            },
            "hint": {
              "en": "Applicant called about the fence",
              "es": "El solicitante llamó por la cerca"
            },
            "example": null,
            "need": "required",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 4000
            }
          }
        ]
      }
    ]
  },
  "tag": {
    "kind": "tag",
    "contract_version": 41,
    "groups": [
      {
        "id": "tag",
        "legend": {
          "en": "Building tag",
          "es": "Rótulo del edificio"
        },
        "fields": [
          {
            "name": "level",
            "pointer": "/payload/level",
            "label": {
              "en": "Tag",
              "es": "Rótulo"
            },
            "hint": null,
            "example": null,
            "need": "required",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "inspected",
                  "word": {
                    "en": "Inspected (green)",
                    "es": "Inspeccionado (verde)"
                  }
                },
                {
                  "code": "restricted",
                  "word": {
                    "en": "Restricted use (yellow)",
                    "es": "Uso restringido (amarillo)"
                  }
                },
                {
                  "code": "unsafe",
                  "word": {
                    "en": "Unsafe (red)",
                    "es": "Inseguro (rojo)"
                  }
                }
              ]
            }
          },
          {
            "name": "building",
            "pointer": "/payload/building",
            "label": {
              "en": "Building",
              "es": "Edificio"
            },
            "hint": {
              "en": "Rear garage",
              "es": "Garaje trasero"
            },
            "example": null,
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "line",
              "limit": 250
            }
          },
          {
            "name": "extent",
            "pointer": "/payload/extent",
            "label": {
              "en": "Extent",
              "es": "Alcance"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "exterior",
                  "word": {
                    "en": "Exterior only",
                    "es": "Solo el exterior"
                  }
                },
                {
                  "code": "exterior-and-interior",
                  "word": {
                    "en": "Exterior and interior",
                    "es": "Exterior e interior"
                  }
                }
              ]
            }
          },
          {
            "name": "inspected_on",
            "pointer": "/payload/inspected_on",
            "label": {
              "en": "Date inspected",
              "es": "Fecha de la inspección"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "day"
            }
          },
          {
            "name": "inspected_at",
            "pointer": "/payload/inspected_at",
            "label": {
              "en": "Time inspected",
              "es": "Hora de la inspección"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "xs",
            "control": {
              "control": "time_of_day"
            }
          },
          {
            "name": "reason",
            "pointer": "/payload/reason",
            "label": {
              "en": "Findings and allowed use",
              "es": "Hallazgos y uso permitido"
            },
            "hint": {
              "en": "Chimney cracked; keep clear of the north side",
              "es": "Chimenea agrietada; despejar el lado norte"
            },
            "example": null,
            "need": "optional",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 4000
            }
          }
        ]
      }
    ]
  }
}
